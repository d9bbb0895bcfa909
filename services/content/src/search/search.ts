import type { Site } from '@knowledge/runtime';
import { sites } from '@knowledge/runtime';
import type { Compounds } from './analysis/compounds.js';
import { fold } from './analysis/fold.js';
import { primaryLanguage } from './analysis/stem.js';
import type { FactColumns } from './index/fact-columns.js';
import type { PublishedTexts, SearchIndex, SettledIndex, Steps, SynonymGroup, Synonyms } from './index/ports.js';
import type { FoundText, Gloss, TextKey, TextKind } from './index/search-text.js';
import { foldName, type WordIndex } from './index/text-index.js';
import type { KnownTexts } from './known-texts.js';
import { addCloseness, type Closeness, closestTexts, compared, type Meanings, rankedBy } from './ranking/closeness.js';
import { countFacets, type Facet } from './ranking/facets.js';
import { type QueryWord, readQuery } from './ranking/query.js';
import {
  bestOf,
  countBefore,
  fitOf,
  type RankedText,
  readInOrder,
  type ScoredTexts,
  scoreTexts,
  strongAmongBest,
} from './ranking/rank.js';
import { type Match, type Shown, show } from './ranking/show.js';
import { countErrors, mostErrors } from './ranking/spelling.js';
import { createSynonymRules, type SynonymRules } from './ranking/synonyms.js';
import { createShownTexts, type ShownText } from './shown-texts.js';

/** Which texts a search may find. Undefined and empty parts match all. */
export interface SearchFilter {
  readonly site: Site | undefined;
  readonly kind: TextKind | 'object' | undefined;
  /** A BCP 47 tag, of which only the primary part counts. */
  readonly language?: string;
  readonly tag?: string;
  readonly author?: string;
  readonly updatedSince?: Date | undefined;
}

/** The last hit of a list page. */
export interface HitPosition {
  readonly score: number;
  readonly weak: boolean;
  readonly key: TextKey;
}

export interface SearchQuery {
  readonly query: string;
  readonly filter: SearchFilter;
  readonly size: number;
  readonly after: HitPosition | undefined;
}

/** A text that a search found. */
export interface Hit {
  readonly text: FoundText;
  /** How well the text fits, from 0 to 1, whatever other texts there are. */
  readonly score: number;
  readonly weak: boolean;
  readonly matched: readonly Match[];
  readonly passage: Shown['passage'];
  readonly gloss: Gloss | undefined;
}

export interface SearchPage {
  readonly hits: readonly Hit[];
  /** The number of all hits, also those on other list pages. */
  readonly total: number;
  readonly facets: readonly Facet[];
  /** The query with words of the texts in place of misspelled ones; empty if there are none. */
  readonly didYouMean: string;
  /** For each other site, how many of the best hits there are not weak; at most `mostElsewhere`. */
  readonly otherSites: readonly { readonly site: Site; readonly total: number }[];
  readonly next: HitPosition | undefined;
  /** Whether the same search may soon give a better order. The meaning of the query or of a text is not known yet. */
  readonly isProvisional: boolean;
  /** Whether the query has only stop words, common words or signs, so that what its words find tells little. */
  readonly hasNoWords: boolean;
  /** Whether there are hits, and all of them are weak, also those on other list pages. */
  readonly areAllWeak: boolean;
}

/** The texts of a list page without what a search shows from them. */
export interface FoundTexts extends Pick<SearchPage, 'total' | 'next' | 'hasNoWords' | 'areAllWeak'> {
  readonly hits: readonly Pick<Hit, 'text' | 'score' | 'weak'>[];
}

/** Full-text search of published articles and objects. It contains every change that was acknowledged before a call. */
export interface Search {
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchPage>;
  /** Finds the same texts for a listing. */
  find(query: SearchQuery, signal: AbortSignal): Promise<FoundTexts>;
}

export interface SearchDependencies {
  readonly index: SearchIndex;
  readonly texts: Pick<PublishedTexts, 'read'>;
  readonly knownTexts: Pick<KnownTexts, 'read'>;
  readonly synonyms: Synonyms;
  /** Undefined if search is by words alone. */
  readonly meanings: Meanings | undefined;
  /** The memory for the words of texts that are shown most. */
  readonly partsBytes: number;
}

export function createSearch({ index, texts, knownTexts, synonyms, meanings, partsBytes }: SearchDependencies): Search {
  const rulesOf = currentRules(synonyms);
  const shownTexts = createShownTexts(texts, knownTexts, partsBytes);

  const settle = async (signal: AbortSignal): Promise<SettledIndex> => {
    const settled = await index.settled(signal);
    await synonyms.settled();
    return settled;
  };

  const askIndex = <Ranks, Page>(
    settled: SettledIndex,
    query: string,
    { rank, page }: Pick<Steps<readonly QueryWord[], Ranks, Page>, 'rank' | 'page'>,
    signal: AbortSignal,
  ): Promise<Page> => settled.ask({ read: (words) => readQuery(query, words, rulesOf(words)), rank, page }, signal);

  const rankPage = async (
    settled: SettledIndex,
    query: SearchQuery,
    withFacets: boolean,
    signal: AbortSignal,
  ): Promise<RankedPage> => {
    const bestByWords = (): Promise<TextKey[]> => askIndex(settled, query.query, bestKeys, signal);
    const closeness = await meanings?.compare(query.query, bestByWords, signal);
    const steps = {
      rank: (texts: WordIndex, words: readonly QueryWord[]) => rankAll(query, words, texts, withFacets, closeness),
      page: (texts: WordIndex, ranked: Ranked) => pageOf(query, ranked, texts),
    };
    return askIndex(settled, query.query, steps, signal);
  };

  return {
    async search(query, signal) {
      const settled = await settle(signal);
      const { page, words, ...ranked } = await rankPage(settled, query, true, signal);
      const from = { index: settled, compounds: ranked.compounds };
      const shown = await shownTexts.read(keysOf(page), from, signal);
      const showText = ({ text, parts }: ShownText): Shown => {
        const language = primaryLanguage(text.entry.language);
        return show({ text: parts, language, query: query.query, words, index: ranked });
      };
      const hits = page.flatMap(({ key, score, weak }): Hit[] => {
        const found = shown.get(key);
        if (found === undefined) return [];
        const { text, gloss } = found;
        return [{ text, score: fitOf({ score, weak }, ranked), weak, gloss, ...showText(found) }];
      });
      let didYouMean = correct(query.query, words, hits);
      if (didYouMean === '' && ranked.spelled.length > 0) {
        // The word may stand only in hits of other list pages.
        const others = await shownTexts.read(ranked.spelled, from, signal);
        didYouMean = correct(
          query.query,
          words,
          Array.from(others.values(), (other) => ({ text: other.text, ...showText(other) })),
        );
      }
      return {
        hits,
        total: ranked.total,
        facets: ranked.facets,
        didYouMean,
        otherSites: ranked.elsewhere,
        next: ranked.next,
        isProvisional: meanings !== undefined && (ranked.closeness === undefined || meanings.isWaiting),
        hasNoWords: words.every(({ isCommon }) => isCommon),
        areAllWeak: ranked.areAllWeak,
      };
    },

    async find(query, signal) {
      const { page, total, next, areAllWeak, ...ranked } = await rankPage(await settle(signal), query, false, signal);
      const found = page.length === 0 ? [] : await knownTexts.read(keysOf(page), signal);
      const textOf = new Map(found.map(({ text }) => [text.key, text]));
      const hits = page.flatMap(({ key, score, weak }) => {
        const text = textOf.get(key);
        return text === undefined ? [] : [{ text, score: fitOf({ score, weak }, ranked), weak }];
      });
      return { hits, total, next, areAllWeak, hasNoWords: ranked.words.every(({ isCommon }) => isCommon) };
    },
  };
}

interface Ranked {
  readonly words: readonly QueryWord[];
  readonly scored: ScoredTexts;
  /** The texts of the site that is asked, in any order. */
  readonly here: Uint32Array;
  /** The texts of the other sites. */
  readonly elsewhere: Uint32Array;
  readonly facets: readonly Facet[];
  readonly closeness: Closeness | undefined;
  /** The closest texts of the site that is asked. */
  readonly closest: readonly number[];
  /** The number of hits, with the closest texts that have no word of the query. */
  readonly total: number;
}

interface RankedPage
  extends Pick<Ranked, 'words' | 'facets' | 'total' | 'closeness'>,
    Pick<WordIndex, 'size' | 'compounds'> {
  readonly elsewhere: SearchPage['otherSites'];
  readonly page: readonly RankedText[];
  readonly half: number;
  readonly areAllWeak: boolean;
  readonly next: HitPosition | undefined;
  /** The best text that the filter leaves for each misspelled word. */
  readonly spelled: readonly TextKey[];
}

function rankAll(
  { filter }: SearchQuery,
  words: readonly QueryWord[],
  index: WordIndex,
  withFacets: boolean,
  closeness: Closeness | undefined,
): Ranked {
  const scored = scoreTexts(words, index);
  const { facts } = index;
  const fits = filterOf(filter, facts);
  const asked = filter.site === undefined ? undefined : sites.indexOf(filter.site);
  const { texts: found } = index.room.keep({ ...index.room.take(scored.texts.length), count: scored.texts.length });
  let count = 0;
  let end = found.length;
  for (let at = 0; at < scored.texts.length; at++) {
    const text = scored.texts[at] ?? 0;
    if (!facts.has(text) || !fits(text)) continue;
    if (asked === undefined || facts.site[text] === asked) found[count++] = text;
    else found[--end] = text;
  }
  const here = found.subarray(0, count);
  const elsewhere = found.subarray(end);
  const isHere = (text: number): boolean => fits(text) && (asked === undefined || facts.site[text] === asked);
  const closest = closeness === undefined ? [] : closestTexts(closeness, facts, isHere);
  const alone = closest.filter((text) => !scored.scores[text]);
  const total = here.length + alone.length;
  const ranked = { words, scored, here, elsewhere, closest, closeness, total };
  return { ...ranked, facets: withFacets ? countFacets([here, alone], facts) : [] };
}

function pageOf({ size, after, filter }: SearchQuery, ranked: Ranked, index: WordIndex): RankedPage {
  const { words, scored, here, facets, closeness, closest, total } = ranked;
  // Weak texts with higher scores may stand after others, but not beyond those that were read in order.
  const before = after === undefined ? 0 : Math.max(readInOrder, countBefore(scored, here, after.score));
  const least = size + (closeness === undefined ? before : Math.max(before, compared));
  const byWords = bestOf(scored, here, words, index, least);
  const ordered =
    closeness === undefined ? byWords : addCloseness(byWords, rankedBy(scored, closest, index.facts), closeness);
  const elsewhere = countElsewhere(filter, ranked, index);
  const found = { words, elsewhere, facets, total, closeness, half: scored.half };
  const { size: texts, compounds } = index;
  const spelled = bestSpelled(words, filter, index);
  const areAllWeak = ordered.length > 0 && ordered.every(({ weak }) => weak);
  return { ...found, size: texts, compounds, spelled, areAllWeak, ...cutPage(ordered, total, size, after) };
}

/** How many of the best hits on other sites are looked at. To look at all would take as long as a search there. */
const mostElsewhere = 10;

function countElsewhere(
  { site: asked }: SearchFilter,
  { scored, elsewhere, words }: Ranked,
  index: WordIndex,
): SearchPage['otherSites'] {
  if (asked === undefined) return [];
  const found = strongAmongBest(scored, elsewhere, words, index, mostElsewhere).map(
    (text) => sites[index.facts.site[text] ?? 0],
  );
  return sites
    .filter((site) => site !== asked)
    .map((site) => ({ site, total: found.filter((each) => each === site).length }));
}

/** How many misspelled words of a query are looked up in hits of other list pages. */
const mostSpelled = 3;

function bestSpelled(words: readonly QueryWord[], filter: SearchFilter, { facts }: WordIndex): TextKey[] {
  const isWanted = filterOf(filter, facts);
  const site = filter.site && sites.indexOf(filter.site);
  const keys = words.filter(isMisspelled).map(({ alternatives }) => {
    let best: { readonly score: number; readonly key: TextKey } | undefined;
    for (const { found } of alternatives) {
      for (const [at, text] of found.texts.entries()) {
        const key = facts.keys[text];
        const score = found.scores[at] ?? 0;
        if (key === undefined || score <= (best?.score ?? 0)) continue;
        if (isWanted(text) && (site === undefined || facts.site[text] === site)) best = { score, key };
      }
      // The spelling that most texts have comes first.
      if (best !== undefined) break;
    }
    return best?.key;
  });
  return [...new Set(keys)].flatMap((key) => key ?? []).slice(0, mostSpelled);
}

/** Finds the best texts of all sites by words. */
const bestKeys: Pick<Steps<readonly QueryWord[], Pick<Ranked, 'words' | 'scored'>, TextKey[]>, 'rank' | 'page'> = {
  rank: (index, words) => ({ words, scored: scoreTexts(words, index) }),
  page: (index, { words, scored }) => keysOf(bestOf(scored, scored.texts, words, index, compared).slice(0, compared)),
};

/** Prepares the synonyms again when they, the languages of the texts or the known words of compounds have changed. */
function currentRules(synonyms: Synonyms): (index: WordIndex) => SynonymRules {
  let known:
    | { groups: readonly SynonymGroup[]; languages: string; compounds: Compounds; rules: SynonymRules }
    | undefined;
  return ({ compounds, languages: each }) => {
    const groups = synonyms.current();
    const languages = [...each].sort().join(' ');
    if (known?.groups !== groups || known.languages !== languages || known.compounds !== compounds) {
      const rules = createSynonymRules(groups, each);
      for (const word of rules.words) compounds.learn(word);
      known = { groups, languages, compounds, rules };
    }
    return known.rules;
  };
}

function filterOf(
  { kind, language = '', tag = '', author = '', updatedSince }: SearchFilter,
  facts: FactColumns,
): (text: number) => boolean {
  const fits: ((text: number) => boolean)[] = [];
  const article = facts.kinds.find('article');
  const primary = primaryLanguage(language);
  const byAuthor = author.trim() === '' ? undefined : isByAuthor(author, facts);
  if (kind === 'object') fits.push((text) => facts.kind[text] !== article);
  else if (kind !== undefined) fits.push(isCode(facts.kind, facts.kinds.find(kind)));
  if (primary !== '') fits.push(isCode(facts.language, facts.languages.find(primary)));
  if (byAuthor !== undefined) fits.push(byAuthor);
  if (updatedSince !== undefined) fits.push((text) => (facts.updatedAt[text] ?? 0) >= updatedSince.getTime());
  if (tag !== '') {
    const code = facts.tags.find(tag);
    fits.push((text) => code !== undefined && facts.hasTag(text, code));
  }
  return fits.length === 0 ? () => true : (text) => fits.every((each) => each(text));
}

/** Whether a text is by an author whose name has all of these words, in any case and without accents. */
function isByAuthor(author: string, { author: column, authors }: FactColumns): (text: number) => boolean {
  const words = nameWords(author);
  const longest = words.reduce((one, other) => (other.length > one.length ? other : one), '');
  const isWanted = new Uint8Array(authors.size);
  for (let code = 0; words.length > 0 && code < authors.size; code++) {
    const name = authors.value(code);
    const own = name.includes(longest) ? nameWords(name) : [];
    if (words.every((word) => own.includes(word))) isWanted[code] = 1;
  }
  return (text) => isWanted[column[text] ?? 0] === 1;
}

function nameWords(name: string): readonly string[] {
  return foldName(name).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

function isCode(column: Uint8Array | Uint16Array | Uint32Array, code: number | undefined): (text: number) => boolean {
  return (text) => code !== undefined && column[text] === code;
}

/** Cuts out a list page. It begins after the last hit of the previous one, wherever that hit stands now. */
function cutPage(ranked: readonly RankedText[], total: number, size: number, after: HitPosition | undefined) {
  const start = after === undefined ? 0 : startAfter(ranked, after);
  const page = ranked.slice(start, start + size);
  const last = page.at(-1);
  const isEnd = last === undefined || start + size >= total;
  return { page, next: isEnd ? undefined : { score: last.score, weak: last.weak, key: last.key } };
}

function startAfter(ranked: readonly RankedText[], { score, weak, key }: HitPosition): number {
  const place = ranked.findIndex((each) => each.key === key);
  if (place >= 0) return place + 1;
  const lower = ranked.findIndex((each) => (each.weak === weak ? each.score < score : each.weak));
  return lower < 0 ? ranked.length : lower;
}

function isMisspelled({ alternatives }: QueryWord): boolean {
  return alternatives.length > 0 && alternatives.every(({ how }) => how === 'spelling');
}

/** Corrects each word that only similar spellings match to the form in the best hit, if that is as similar. */
function correct(query: string, words: readonly QueryWord[], hits: readonly Pick<Hit, 'text' | 'matched'>[]): string {
  let corrected = '';
  let from = 0;
  for (const each of words) {
    if (!isMisspelled(each)) continue;
    const { word, alternatives } = each;
    const written = query.slice(word.start, word.end);
    const form = hits.flatMap(({ text, matched }) =>
      isInLanguageOf(each, text) ? (matched.find((match) => match.word === written)?.found ?? []) : [],
    )[0];
    if (form === undefined || !isLikely(word.text, form.toLowerCase(), alternatives)) continue;
    if (each.languages.length === 0 && isOtherSpelling(word.text, form.toLowerCase())) continue;
    corrected += query.slice(from, word.start) + form.toLowerCase();
    from = word.end;
  }
  return from === 0 ? '' : corrected + query.slice(from);
}

// A word of another language is no error: collègue is not colleague.
function isInLanguageOf({ word, languages }: QueryWord, { entry }: FoundText): boolean {
  const language = primaryLanguage(entry.language) || 'en';
  const hasAccents = fold(word.text) !== word.text;
  return (languages.length === 0 || languages.includes(language)) && !(hasAccents && language === 'en');
}

/** Whether a word may be right in another language, which has k or z in place of c: Produktion. */
function isOtherSpelling(word: string, form: string): boolean {
  const inEnglish = word.replace(/[kz]/g, 'c');
  return inEnglish !== word && countErrors(inEnglish, form) < countErrors(word, form);
}

// Stems may be nearer than the words. With two errors the other word may be right too, unless several texts have it.
function isLikely(word: string, form: string, alternatives: QueryWord['alternatives']): boolean {
  const errors = countErrors(fold(word), fold(form));
  if (errors === 0 || errors > mostErrors(fold(word)) || haveOtherEndings(fold(word), fold(form))) return false;
  // With another letter a short word is often another right one, such as drone and done.
  if (word.length < shortestWithWrongLetter && lettersOf(word) !== lettersOf(form)) return false;
  return errors === 1 || alternatives.some(({ found }) => found.texts.length >= 2);
}

/** Whether the words differ only in their last letters, as transcribe and transcript do. Both may be right. */
function haveOtherEndings(word: string, form: string): boolean {
  const shorter = Math.min(word.length, form.length);
  let same = 0;
  while (same < shorter && word[same] === form[same]) same++;
  return same >= shorter - longestEnding && word.at(-1) !== form.at(-1) && lettersOf(word) !== lettersOf(form);
}

const longestEnding = 2;
const shortestWithWrongLetter = 6;

function lettersOf(word: string): string {
  return [...fold(word)].sort().join('');
}

function keysOf(page: readonly RankedText[]): TextKey[] {
  return page.map(({ key }) => key);
}
