import type { Site } from '@knowledge/runtime';
import type { Findings, SearchEngine } from './engine.js';
import type { SearchFilter } from './filter.js';
import { ownScores } from './index/prepare.js';
import type { AskedWord } from './query/asked-word.js';
import { readQuery } from './query/read-query.js';
import type { SynonymRules } from './query/synonyms.js';
import { nearnessGain } from './rules/nearness.js';
import { type Ranked, rank, readInOrder } from './rules/rank.js';
import type { TextKey } from './texts/search-text.js';

/** The last hit of a list page. */
export interface HitPosition {
  /** Its place among all hits, from 1 on. */
  readonly place: number;
  readonly key: TextKey;
}

export interface RankQuery {
  readonly query: string;
  readonly filter: SearchFilter;
  readonly size: number;
  readonly after: HitPosition | undefined;
}

/** A list page of hits, and what else their search shows. */
export interface RankedPage extends Pick<Findings, 'total' | 'facets'> {
  readonly words: readonly AskedWord[];
  readonly page: readonly Ranked[];
  /** The best texts, also those of other list pages. */
  readonly best: readonly TextKey[];
  /** For each other site, how many of the best hits there are not weak. */
  readonly otherSites: readonly { readonly site: Site; readonly total: number }[];
  readonly next: HitPosition | undefined;
  readonly hasNoWords: boolean;
  readonly areAllWeak: boolean;
}

/** Of this many of the best hits a search looks at more than a list page needs. */
const mostLookedAt = 10;
/** The last place that list pages show. */
const lastPlace = 10_000;

/** Finds the texts that have a word of a query, and puts the best of them in order. */
export async function rankTexts(
  { query, filter, size, after }: RankQuery,
  engine: SearchEngine,
  rules: SynonymRules,
  signal: AbortSignal,
): Promise<RankedPage> {
  const words = await readQuery(query, engine, rules, signal);
  const place = Math.min(after?.place ?? 0, lastPlace);
  // The last hit may have moved a little.
  const from = Math.max(readInOrder, place - size);
  const to = Math.max(from, Math.min(place + size, lastPlace));
  const { texts, total, facets, elsewhere } = await engine.find({ words, filter, later: [from, to] }, signal);
  const ranked = rank(texts, words);
  // By their place. Between the best texts and those of a later list page it has holes.
  const byPlace: Ranked[] = [];
  for (const [at, each] of ranked.entries()) byPlace[at < readInOrder ? at : at - readInOrder + from] = each;
  const known = after === undefined ? -1 : byPlace.findIndex((each) => each?.key === after.key);
  // If the last hit was withdrawn, the next one stands at its place.
  const start = known >= 0 ? known + 1 : Math.max(0, place - 1);
  const page = byPlace.slice(start, start + size).filter(Boolean);
  const last = page.at(-1);
  const end = start + size;
  return {
    words,
    total,
    facets,
    best: ranked.slice(0, mostLookedAt).map(({ key }) => key),
    page: page.map((each) => ({ ...each, score: fitOf(each, words) })),
    otherSites: elsewhere.map((other) => {
      return { site: other.site, total: rank(other.texts, words).filter(({ weak }) => !weak).length };
    }),
    next: last === undefined || end >= Math.min(total, lastPlace) ? undefined : { place: end, key: last.key },
    hasNoWords: words.every(({ isCommon }) => isCommon),
    areAllWeak: ranked.length > 0 && ranked.every(({ weak }) => weak),
  };
}

/** How well a text fits, from 0 to 1: its share of the largest possible score. A weak text has less than half, and no other has. */
function fitOf({ score, weak }: Ranked, words: readonly AskedWord[]): number {
  const most = (1 + ownScores.title + ownScores.headings) * (1 + nearnessGain);
  const largest = words.reduce((sum, { weight, rarity }) => sum + weight * rarity, 0) * most;
  const share = largest === 0 ? 0 : Math.min(0.999, score / largest);
  return weak ? share / 2 : (1 + share) / 2;
}
