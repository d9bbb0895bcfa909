import { earlier } from '@knowledge/runtime';
import { abortable } from '@knowledge/runtime/mongodb';
import { waitingStates } from '@knowledge/runtime/product';
import { LRUCache } from 'lru-cache';
import type { Collection } from 'mongodb';
import type { ReadText, Wave } from '../checks/check.js';
import { countHumans, isWaveOf, linkWaves, mailWaves, mostCounted, waveSpanMs } from '../checks/waves.js';
import type { Contribution } from '../domain/contribution.js';
import type { Assessed, ContributionDocument } from './contribution-document.js';
import type { Similar } from './related-work.js';

type Contributions = Collection<ContributionDocument>;
type Sent = Pick<Contribution, 'id' | 'email' | 'submittedAt'>;

/** From this percentage on, texts are of one wave. */
const leastPercent = 60;

/** The keys of a text but that of equal texts. Mail domain and network count only while its human is new. */
export async function wavesOf(
  contributions: Contributions,
  { email, submittedAt, waves = [] }: Pick<ContributionDocument, 'email' | 'submittedAt' | 'waves'>,
  text: ReadText,
  ownHosts: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<string[]> {
  const before = { email, submittedAt: { $lt: earlier(submittedAt, waveSpanMs('mail:')) } };
  const isNew = email !== '' && (await contributions.countDocuments(before, { signal, limit: 1, hint: 'own' })) === 0;
  const ofHuman = isNew ? [...mailWaves(email), ...waves.filter((key) => isWaveOf(key, 'network'))] : [];
  return [...linkWaves(text, ownHosts), ...ofHuman, ...waves.filter((key) => isWaveOf(key, 'text'))];
}

/** The key of the texts that are nearly equal to one, which those without a key get too. None if there are none. */
export async function textWave(
  contributions: Contributions,
  { id }: Pick<Sent, 'id'>,
  similar: readonly Similar[],
  signal: AbortSignal,
): Promise<string[]> {
  const near = similar.filter(({ percent }) => percent >= leastPercent).map(({ document }) => document);
  if (near.length === 0) return [];
  const keys = near.map(({ waves = [] }) => waves.find((key) => isWaveOf(key, 'text')));
  const ids = near.map(({ _id }) => _id);
  const key = keys.find((each) => each !== undefined) ?? `text:${[id, ...ids].sort()[0]}`;
  if (keys.includes(undefined)) {
    const alone = { _id: { $in: ids }, waves: { $not: /^text:/ }, erased: { $exists: false } } as const;
    await contributions.updateMany(alone, { $addToSet: { waves: key } }, abortable(signal));
  }
  return [key];
}

/** Counts the texts of each wave around the time of one of them. It reads at most 500 entries of an index for each. */
export async function countWaves(
  contributions: Contributions,
  keys: readonly string[],
  { submittedAt }: Pick<Sent, 'submittedAt'>,
  signal: AbortSignal,
): Promise<Wave[]> {
  const waves: Wave[] = [];
  for (const key of keys) {
    const found = await contributions
      .find({ waves: key, submittedAt: around(key, submittedAt) }, { signal, hint: 'waves' })
      .project<{ email: string }>({ _id: 0, email: 1 })
      .limit(mostCounted)
      .toArray();
    waves.push({ key, texts: found.length, humans: countHumans(found.map(({ email }) => email)) });
  }
  return waves;
}

/**
 * Has the waiting texts of a wave assessed again that came before it was one. Each gets its finding once, or twice if the
 * wave grows.
 */
export function createWaveRaiser(contributions: Contributions) {
  // Those that came meanwhile count it by themselves.
  const raised = new LRUCache<string, true>({ max: 1_000, ttl: 10_000 });
  return async ({ submittedAt }: Pick<Sent, 'submittedAt'>, { findings }: Assessed, signal: AbortSignal) => {
    for (const { check, wave, weight } of findings) {
      if (wave === undefined || raised.has(`${weight} ${wave}`)) continue;
      raised.set(`${weight} ${wave}`, true);
      const unraised = {
        waves: wave,
        submittedAt: around(wave, submittedAt),
        state: { $in: [...waitingStates] },
        terms: { $exists: true },
        findings: { $not: { $elemMatch: { check, weight: { $gte: weight } } } },
      };
      await contributions.updateMany(unraised, { $unset: { terms: 1 } }, { ...abortable(signal), hint: 'waves' });
    }
  };
}

function around(key: string, at: Date) {
  const [from, to] = [at.getTime() - waveSpanMs(key), at.getTime() + waveSpanMs(key)];
  return { $gte: new Date(from), $lte: new Date(to) };
}
