import type { CallContext } from '@knowledge/runtime';
import { abortable } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import { maxPresent, type Presence, presenceMs } from '../domain/presence.js';

/** Stores who has a contribution open. */
export interface PresenceStore {
  /** Adds or renews a presence. Returns everybody who has the contribution open, oldest first. */
  announce(contributionId: string, actor: string, call: CallContext): Promise<Presence[]>;
  end(contributionId: string, actor: string, call: CallContext): Promise<void>;
  /** Who has these contributions open, by their ids. */
  of(contributionIds: readonly string[], call: CallContext): Promise<ReadonlyMap<string, Presence[]>>;
}

/** One document for each contribution, so that its list is bounded by a single write. */
interface PresenceDocument {
  _id: string;
  open: Presence[];
  /** After this time MongoDB deletes the document. */
  deleteAt: Date;
}

export function createPresenceStore(db: Db): PresenceStore {
  const presence = db.collection<PresenceDocument>('presence');

  return {
    async announce(contributionId, actor, { now, signal }) {
      const until = new Date(now.getTime() + presenceMs);
      const document = await presence.findOneAndUpdate({ _id: contributionId }, renewal(actor, now, until), {
        ...abortable(signal),
        upsert: true,
        returnDocument: 'after',
      });
      return openIn(document, now);
    },

    async end(contributionId, actor, { signal }) {
      await presence.updateOne({ _id: contributionId }, { $pull: { open: { actor } } }, abortable(signal));
    },

    async of(contributionIds, { now, signal }) {
      const found = await presence.find({ _id: { $in: [...contributionIds] } }, { signal }).toArray();
      return new Map(found.map((document) => [document._id, openIn(document, now)]));
    },
  };
}

/** Removes what has lapsed, and puts the actor last. If there are too many, the one renewed longest ago leaves. */
function renewal(actor: string, now: Date, until: Date): object[] {
  const actorAsIs = { $literal: actor };
  const live = { $filter: { input: { $ifNull: ['$open', []] }, cond: { $gt: ['$$this.until', now] } } };
  const own = { $filter: { input: '$open', cond: { $eq: ['$$this.actor', actorAsIs] } } };
  const others = { $filter: { input: '$open', cond: { $ne: ['$$this.actor', actorAsIs] } } };
  const since = { $ifNull: [{ $first: '$own.since' }, now] };
  const all = { $concatArrays: [others, [{ actor: actorAsIs, since, until }]] };
  return [
    { $set: { open: live, deleteAt: until } },
    { $set: { own } },
    { $set: { open: { $slice: [all, -maxPresent] } } },
    { $unset: 'own' },
  ];
}

function openIn(document: PresenceDocument | null, now: Date): Presence[] {
  const open = document?.open.filter(({ until }) => until > now) ?? [];
  return open.sort((a, b) => a.since.getTime() - b.since.getTime());
}
