import type { Site } from '@knowledge/runtime';
import { primaryLanguage } from './analysis/stem.js';
import type { SearchEngine } from './engine.js';
import type { Facet } from './facets.js';
import type { SearchIndex } from './index/index-feed.js';
import { type Part, partsOf } from './index/prepare.js';
import { createSynonymRules, type SynonymRules } from './query/synonyms.js';
import { type HitPosition, type RankQuery, rankTexts } from './rank-texts.js';
import { correct, isMisspelled } from './show/correct.js';
import type { Passage } from './show/passages.js';
import { type Match, show } from './show/show.js';
import type { Glosses, PublishedTexts, SynonymGroup, Synonyms } from './texts/ports.js';
import { type FoundText, type Gloss, type PublishedText, searchTextOf, type TextKey } from './texts/search-text.js';

export interface SearchQuery extends RankQuery {
  /** How many passages each hit may show; 1 by default. */
  readonly passages?: number;
}

/** A text that a search found. */
export interface Hit {
  readonly text: FoundText;
  /** How well the text fits, from 0 to 1, whatever other texts there are. */
  readonly score: number;
  readonly weak: boolean;
  readonly matched: readonly Match[];
  /** The passages of the body that fit best, best first. */
  readonly passages: readonly Passage[];
  readonly gloss: Gloss | undefined;
}

/** The texts of a list page without what a search shows from them. */
export interface FoundTexts {
  readonly hits: readonly Pick<Hit, 'text' | 'score' | 'weak'>[];
  /** The number of all hits, also those on other list pages. */
  readonly total: number;
  readonly next: HitPosition | undefined;
  /** Whether the query has only stop words, common words or signs, so that what its words find tells little. */
  readonly hasNoWords: boolean;
  /** Whether there are hits, and all of them are weak, also those on other list pages. */
  readonly areAllWeak: boolean;
}

export interface SearchPage extends FoundTexts {
  readonly hits: readonly Hit[];
  readonly facets: readonly Facet[];
  /** The query with words of the texts in place of misspelled ones; empty if there are none. */
  readonly didYouMean: string;
  /** For each other site, how many of the best 10 hits there are not weak. */
  readonly otherSites: readonly { readonly site: Site; readonly total: number }[];
}

/** Full-text search of published articles and objects. It contains every change that was acknowledged before a call. */
export interface Search {
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchPage>;
  /** Finds the same texts for a listing. */
  find(query: SearchQuery, signal: AbortSignal): Promise<FoundTexts>;
}

export interface SearchDependencies {
  readonly index: SearchIndex;
  readonly texts: Pick<PublishedTexts, 'read' | 'readFound'>;
  readonly glosses: Glosses;
  readonly synonyms: Synonyms;
}

export function createSearch({ index, texts, glosses, synonyms }: SearchDependencies): Search {
  const rulesOf = currentRules(synonyms);

  const settle = async (signal: AbortSignal): Promise<{ engine: SearchEngine; rules: SynonymRules }> => {
    const settled = await index.settled(signal);
    await synonyms.settled();
    return { engine: settled, rules: rulesOf(settled) };
  };

  /** Reads texts. What was withdrawn since is left out, so that nothing is shown that readers may not see. */
  const readTexts = async (keys: readonly TextKey[], signal: AbortSignal) => {
    const [found, glossOf] = await Promise.all([texts.read(keys, signal), glosses.of(keys, signal)]);
    return new Map(found.map((text) => [text.key, { text, gloss: glossOf.get(text.key) }]));
  };

  return {
    async search(query, signal) {
      const { engine, rules } = await settle(signal);
      const { page, words, best, ...rest } = await rankTexts(query, engine, rules, signal);
      // A misspelled word may stand only in hits of other list pages.
      const others = words.some(isMisspelled) ? best.slice(0, mostSpelled) : [];
      const read = await readTexts([...new Set([...page.map(({ key }) => key), ...others])], signal);
      const showText = (key: TextKey) => {
        const found = read.get(key);
        if (found === undefined) return [];
        const parts = readParts(found.text, found.gloss, engine.compounds);
        const language = primaryLanguage(found.text.entry.language);
        return [{ ...found, ...show({ parts, language }, query.query, words, query.passages ?? 1) }];
      };
      const hits = page.flatMap(({ key, score, weak }) =>
        showText(key).map((shown): Hit => ({ ...shown, score, weak })),
      );
      const spelled = [...hits, ...others.flatMap(showText)].map(({ text, matched }) => ({
        language: text.entry.language,
        matched,
      }));
      const didYouMean = correct(query.query, words, spelled);
      return { ...rest, hits, didYouMean };
    },

    async find(query, signal) {
      const { engine, rules } = await settle(signal);
      const { page, total, next, hasNoWords, areAllWeak } = await rankTexts(query, engine, rules, signal);
      const read = await texts.readFound(
        page.map(({ key }) => key),
        signal,
      );
      const textOf = new Map(read.map((text) => [text.key, text]));
      const hits = page.flatMap(({ key, score, weak }) => {
        const text = textOf.get(key);
        return text === undefined ? [] : [{ text, score, weak }];
      });
      return { hits, total, next, hasNoWords, areAllWeak };
    },
  };
}

/** How many other hits are looked at for the right spelling of a word. */
const mostSpelled = 3;
/** A hit shows passages from this much of a body, in UTF-16 units. So no text costs much more than another. */
const longestShown = 30_000;

function readParts(text: PublishedText, gloss: Gloss | undefined, compounds: SearchEngine['compounds']): Part[] {
  const whole = searchTextOf(text, gloss);
  return partsOf({ ...whole, body: whole.body.slice(0, longestShown) }, compounds);
}

/** Prepares the synonyms again when they or the languages of the texts have changed. */
function currentRules(synonyms: Synonyms): (engine: SearchEngine) => SynonymRules {
  let known:
    | { groups: readonly SynonymGroup[]; languages: string; index: SearchEngine['compounds']; rules: SynonymRules }
    | undefined;
  return ({ compounds, languages: each }) => {
    const groups = synonyms.current();
    const languages = [...each].sort().join(' ');
    if (known?.groups !== groups || known.languages !== languages || known.index !== compounds) {
      const rules = createSynonymRules(groups, each);
      for (const word of rules.words) compounds.learn(word);
      known = { groups, languages, index: compounds, rules };
    }
    return known.rules;
  };
}
