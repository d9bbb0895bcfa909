import { setImmediate } from 'node:timers/promises';
import type { Site } from '@knowledge/runtime';
import { sites } from '@knowledge/runtime';
import type { Compounds } from './analysis/compounds.js';
import { fold } from './analysis/fold.js';
import { primaryLanguage } from './analysis/stem.js';
import type { IndexFeed } from './index/index-feed.js';
import type { Glosses, PublishedTexts, SynonymGroup, Synonyms } from './index/ports.js';
import { type Gloss, type PublishedText, searchTextOf, type TextKey, type TextKind } from './index/search-text.js';
import { foldName, type IndexedFacts, type TextIndex } from './index/text-index.js';
import { countFacets, type Facet } from './ranking/facets.js';
import { type QueryWord, readQuery } from './ranking/query.js';
import { type RankedText, rank } from './ranking/rank.js';
import { type Match, type Shown, show } from './ranking/show.js';
import { createSynonymRules, type SynonymRules } from './ranking/synonyms.js';

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
  readonly text: PublishedText;
  /** From 0 to 1, where 1 is the best hit of the search. */
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
  /** The number of hits that are not weak on each other site. */
  readonly otherSites: readonly { readonly site: Site; readonly total: number }[];
  readonly next: HitPosition | undefined;
}

/** The texts of a list page without what a search shows about them. */
export interface FoundTexts {
  readonly texts: readonly PublishedText[];
  readonly total: number;
  readonly next: HitPosition | undefined;
}

/** Full-text search of published articles and objects. It contains every change that was acknowledged before a call. */
export interface Search {
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchPage>;
  /** Finds the same texts for a listing. */
  find(query: SearchQuery, signal: AbortSignal): Promise<FoundTexts>;
}

export interface SearchDependencies {
  readonly index: TextIndex;
  readonly feed: Pick<IndexFeed, 'settled'>;
  readonly texts: Pick<PublishedTexts, 'read'>;
  readonly glosses: Glosses;
  readonly synonyms: Synonyms;
}

export function createSearch({ index, feed, texts, glosses, synonyms }: SearchDependencies): Search {
  const rulesOf = currentRules(index, synonyms);

  const rankAll = async ({ query, filter }: SearchQuery, signal: AbortSignal): Promise<Ranked> => {
    await feed.settled(signal);
    await synonyms.settled();
    const words = readQuery(query, index, rulesOf());
    const fits = filterOf(filter);
    const all = rank(words, index).flatMap((text) => {
      const facts = index.facts(text.key);
      return facts !== undefined && fits(facts) ? [{ text, facts }] : [];
    });
    return { words, all, here: all.filter(({ facts }) => filter.site === undefined || facts.site === filter.site) };
  };

  // What was withdrawn since is left out, so that nothing is shown that readers may not see.
  const read = async (page: readonly Candidate[], signal: AbortSignal): Promise<Map<TextKey, PublishedText>> => {
    const found = page.length === 0 ? [] : await texts.read(keysOf(page), signal);
    return new Map(found.map((text) => [text.key, text]));
  };

  return {
    async search(query, signal) {
      const { words, all, here } = await rankAll(query, signal);
      const { page, next } = cutPage(here, query);
      const [found, glossOf] = await Promise.all([read(page, signal), glosses.of(keysOf(page), signal)]);
      const best = here[0]?.text.score ?? 1;
      const hits: Hit[] = [];
      for (const { text: ranked } of page) {
        const text = found.get(ranked.key);
        if (text === undefined) continue;
        const gloss = glossOf.get(ranked.key);
        const shown = show({ text: searchTextOf(text, gloss), query: query.query, words, index });
        hits.push({ text, score: ranked.score / best, weak: ranked.weak, gloss, ...shown });
        // Lets other calls run, since a long body takes some milliseconds.
        await setImmediate();
      }
      return {
        hits,
        total: here.length,
        facets: countFacets(here.map(({ facts }) => facts)),
        didYouMean: correct(query.query, words, hits),
        otherSites: countElsewhere(all, query.filter.site),
        next,
      };
    },

    async find(query, signal) {
      const { here } = await rankAll(query, signal);
      const { page, next } = cutPage(here, query);
      const found = await read(page, signal);
      const ordered = page.flatMap(({ text: { key } }) => found.get(key) ?? []);
      return { texts: ordered, total: here.length, next };
    },
  };
}

interface Candidate {
  readonly text: RankedText;
  readonly facts: IndexedFacts;
}

interface Ranked {
  readonly words: readonly QueryWord[];
  /** The texts of all sites. */
  readonly all: readonly Candidate[];
  /** Those of the site that is asked. */
  readonly here: readonly Candidate[];
}

/** Prepares the synonyms again when they, the languages of the texts or the known words of compounds have changed. */
function currentRules(index: TextIndex, synonyms: Synonyms): () => SynonymRules {
  let known:
    | { groups: readonly SynonymGroup[]; languages: string; compounds: Compounds; rules: SynonymRules }
    | undefined;
  return () => {
    const groups = synonyms.current();
    const { compounds } = index;
    const languages = [...index.languages].sort().join(' ');
    if (known?.groups !== groups || known.languages !== languages || known.compounds !== compounds) {
      const rules = createSynonymRules(groups, index.languages);
      for (const word of rules.words) compounds.learn(word);
      known = { groups, languages, compounds, rules };
    }
    return known.rules;
  };
}

function filterOf({ kind, language = '', tag = '', author = '', updatedSince }: SearchFilter) {
  const primary = primaryLanguage(language);
  const name = foldName(author);
  return (facts: IndexedFacts): boolean =>
    (kind === undefined || facts.kind === kind || (kind === 'object' && facts.kind !== 'article')) &&
    (primary === '' || facts.language === primary) &&
    (tag === '' || facts.tags.includes(tag)) &&
    (name === '' || facts.author === name) &&
    (updatedSince === undefined || facts.updatedAt >= updatedSince);
}

/** Cuts out a list page. It begins after the last hit of the previous one, wherever that hit stands now. */
function cutPage(here: readonly Candidate[], { size, after }: SearchQuery) {
  const start = after === undefined ? 0 : startAfter(here, after);
  const page = here.slice(start, start + size);
  const last = page.at(-1)?.text;
  const isEnd = last === undefined || start + size >= here.length;
  return { page, next: isEnd ? undefined : { score: last.score, key: last.key } };
}

function startAfter(here: readonly Candidate[], { score, key }: HitPosition): number {
  const place = here.findIndex(({ text }) => text.key === key);
  if (place >= 0) return place + 1;
  const lower = here.findIndex(({ text }) => text.score < score);
  return lower < 0 ? here.length : lower;
}

function countElsewhere(all: readonly Candidate[], site: Site | undefined): SearchPage['otherSites'] {
  if (site === undefined) return [];
  return sites
    .filter((other) => other !== site)
    .map((other) => ({
      site: other,
      total: all.filter(({ text, facts }) => facts.site === other && !text.weak).length,
    }));
}

/** Replaces each word that only similar spellings match by the form that the best hit has. */
function correct(query: string, words: readonly QueryWord[], hits: readonly Hit[]): string {
  let corrected = '';
  let from = 0;
  for (const { word, alternatives } of words) {
    if (alternatives.length === 0 || !alternatives.every(({ how }) => how === 'spelling')) continue;
    const written = query.slice(word.start, word.end);
    const form = hits.flatMap(({ matched }) => matched.find((match) => match.word === written)?.found ?? [])[0];
    if (form === undefined || fold(form.toLowerCase()) === fold(word.text)) continue;
    corrected += query.slice(from, word.start) + form.toLowerCase();
    from = word.end;
  }
  return from === 0 ? '' : corrected + query.slice(from);
}

function keysOf(page: readonly Candidate[]): TextKey[] {
  return page.map(({ text }) => text.key);
}
