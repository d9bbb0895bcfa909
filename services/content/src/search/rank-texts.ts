import { sites } from '@knowledge/runtime';
import { type Candidate, readInOrder, type SearchEngine } from './engine.js';
import type { SearchFilter } from './filter.js';
import { fieldShares } from './index/prepare.js';
import { type AskedWord, type ReadQuery, termsOf } from './query/asked-word.js';
import { readQuery } from './query/read-query.js';
import type { SynonymRules } from './query/synonyms.js';
import { nearness, nearnessGain } from './rules/nearness.js';
import { isWeak, weakBeside } from './rules/weak.js';
import { wordPlaces } from './rules/word-places.js';
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
  readonly after?: HitPosition | undefined;
}

/** How many of the best hits are looked at for the right spelling of a word. */
const mostSpelled = 10;
/** How many of the best hits of each other site are counted. */
const bestElsewhere = 10;
/** The last place that list pages show. */
const lastPlace = 10_000;

/** Finds the texts that have a word of a query, and puts the best of them in order. */
export async function rankTexts(
  { query, filter, size, after }: RankQuery,
  engine: SearchEngine,
  rules: SynonymRules,
  signal: AbortSignal,
) {
  const read = await readQuery(query, engine, rules, signal);
  const { words } = read;
  const place = Math.min(after?.place ?? 0, lastPlace);
  // The last hit may have moved a little.
  const from = Math.max(readInOrder, place - size);
  const to = Math.max(from, Math.min(place + size, lastPlace));
  const otherSites = filter.site === undefined ? [] : sites.filter((site) => site !== filter.site);
  const question = { words, filter, otherSites, later: [from, to] } as const;
  const { texts, total, facets, elsewhere } = await engine.find(question, signal);
  const [ranked = [], ...others] = rank([texts, ...elsewhere.map((each) => each.texts)], read);
  // Between the best texts and those of a later list page there may be others.
  const placeOf = (at: number) => (at < readInOrder ? at : at - readInOrder + from);
  const known = ranked.findIndex(({ key }) => key === after?.key);
  // If the last hit was withdrawn, the next one stands at its place.
  const start = known >= 0 ? placeOf(known) + 1 : Math.max(0, place - 1);
  const end = start + size;
  const page = ranked.filter((_, at) => placeOf(at) >= start && placeOf(at) < end);
  const last = page.at(-1);
  return {
    words,
    /** The number of all hits, also those on other list pages. */
    total,
    facets,
    best: ranked.slice(0, mostSpelled),
    /** Scores from 0 to 1, whatever other texts there are. */
    page: page.map((each) => ({ ...each, score: fitOf(each, words) })),
    /** For each other site, how many of the best hits there are not weak. */
    otherSites: elsewhere.map(({ site }, at) => {
      return { site, total: others[at]?.slice(0, bestElsewhere).filter(({ weak }) => !weak).length ?? 0 };
    }),
    next: last === undefined || end >= Math.min(total, lastPlace) ? undefined : { place: end, key: last.key },
    /** Whether the query has only stop words, common words or signs, so that what its words find tells little. */
    hasNoWords: words.every(({ isCommon }) => isCommon),
    /** Whether there are hits, and all of them are weak, also those on other list pages. */
    areAllWeak: ranked.length > 0 && ranked.every(({ weak }) => weak),
  };
}

export interface Ranked extends Pick<Candidate, 'key' | 'score'> {
  readonly weak: boolean;
}

/**
 * Puts the best 50 candidates of each list in order by the rules, those that are weak last. Candidates are given best first. What is weak
 * is so on every list page and whatever site is asked, so the best of all lists decide.
 */
function rank(lists: readonly (readonly Candidate[])[], { words, texts }: ReadQuery) {
  const terms = termsOf(words);
  const read = ({ key, score, places }: Candidate, at: number) => {
    const found = wordPlaces(words, places(terms));
    const near = at < readInOrder ? score * (1 + nearnessGain * nearness(words, found)) : score;
    return { key, weak: isWeak(words, found, near, texts), score: near };
  };
  const all = lists.map((list) => list.map(read));
  const isStillWeak = weakBeside(all.flatMap((list) => list.slice(0, readInOrder)));
  return all.map((list) => {
    const marked = list.map((each) => ({ ...each, weak: isStillWeak(each) }));
    return [...marked.slice(0, readInOrder).sort(byRank), ...marked.slice(readInOrder)];
  });
}

function byRank(one: Ranked, other: Ranked) {
  return Number(one.weak) - Number(other.weak) || other.score - one.score || (one.key < other.key ? -1 : 1);
}

/** How well a text fits, from 0 to 1: its share of the largest possible score. A weak text has less than half, and no other has. */
function fitOf({ score, weak }: Ranked, words: readonly AskedWord[]) {
  const most = Object.values(fieldShares).reduce((sum, share) => sum + share, 0) * (1 + nearnessGain);
  const largest = words.reduce((sum, { weight, rarity }) => sum + weight * rarity, 0) * most;
  const share = largest === 0 ? 0 : Math.min(0.999, score / largest);
  return weak ? share / 2 : (1 + share) / 2;
}
