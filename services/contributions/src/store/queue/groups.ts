import { LRUCache } from 'lru-cache';
import type { Db, Filter } from 'mongodb';
import type { ContributionDocument } from '../documents.js';

/** Contributions that wait for review and have something in common. */
export interface ContributionGroup {
  /** The kind and the value, for example `link:example.org`. */
  readonly key: string;
  readonly contributions: number;
  readonly humans: number;
  /** When the last of them came or changed. */
  readonly latest: Date;
}

/** Fewer have nothing in common that a moderator wants to know. */
const least = 5;
const mostGroups = 1_000;
const mostRead = 5_000;

export interface Groups {
  /** Every page of the queue asks for them, so an answer counts for some seconds. */
  read(signal: AbortSignal): Promise<ContributionGroup[]>;
  /** Counts anew at the next question. */
  forget(): void;
}

/** Counts what the newest 5,000 waiting contributions have in common, in one query. */
export function createGroups(db: Db): Groups {
  const contributions = db.collection<ContributionDocument>('contributions');
  const agent = { $concat: ['agent:', '$authorizationId'] };
  const fields = { humans: { $addToSet: '$email' }, latest: { $max: '$updatedAt' } };
  const human = { $concat: ['human:', '$email'] };
  const known = new LRUCache<string, ContributionGroup[]>({ max: 1, ttl: 3_000 });
  const count = (signal: AbortSignal): Promise<ContributionGroup[]> =>
    contributions
      .aggregate<ContributionGroup>(
        [
          { $match: { state: 'pending_review', held: null, erased: { $exists: false } } },
          { $sort: { submittedAt: -1 } },
          { $limit: mostRead },
          {
            $project: { email: 1, updatedAt: 1, key: { $concatArrays: [{ $ifNull: ['$waves', []] }, [agent, human]] } },
          },
          { $unwind: '$key' },
          { $group: { _id: '$key', contributions: { $sum: 1 }, ...fields } },
          { $match: { contributions: { $gte: least } } },
          { $project: { _id: 0, key: '$_id', contributions: 1, latest: 1, humans: { $size: '$humans' } } },
          { $sort: { contributions: -1, humans: -1, key: 1 } },
          { $limit: mostGroups },
        ],
        { signal, hint: 'oldest_by_state' },
      )
      .toArray();
  return {
    async read(signal) {
      const groups = known.get('') ?? (await count(signal));
      if (!known.has('')) known.set('', groups);
      return groups;
    },
    forget: () => known.clear(),
  };
}

/** Which contributions are of a group. */
export function inGroup(key: string): Filter<ContributionDocument> {
  const value = key.slice(key.indexOf(':') + 1);
  if (key.startsWith('human:')) return { email: value };
  return key.startsWith('agent:') ? { authorizationId: value } : { waves: key };
}

/** Which contributions are held by nobody, and share no link, domain, network or text with these groups. */
export function inNoGroup(groups: readonly ContributionGroup[]): Filter<ContributionDocument> {
  return { held: null, waves: { $nin: groups.map(({ key }) => key) } };
}
