import { setImmediate } from 'node:timers/promises';
import type { Site } from '@knowledge/runtime';
import { createCompounds } from '../analysis/compounds.js';
import { bestElsewhere, type Candidate, readInOrder, type SearchEngine } from '../engine.js';
import { countFacets, type Facts, factsOf, filterOf } from '../filter.js';
import { type AskedWord, countsIn, type Way } from '../query/asked-word.js';
import { closestTerms } from '../query/spelling.js';
import type { TextKey } from '../texts/search-text.js';
import { createPostings } from './postings.js';
import { fieldShares, prepare, scoredFields } from './prepare.js';

/** The facts of a text, its number in the postings, and what its score is multiplied with. */
interface IndexedFacts extends Facts {
  readonly number: number;
  readonly worth: number;
}

/** A text that has a word of the query. */
interface Found {
  readonly score: number;
  readonly facts: IndexedFacts;
}

/** Keeps the prepared words of all published texts in memory. It warns, once, when it needs more memory than this. */
export function createTextIndex(maxBytes = Number.POSITIVE_INFINITY, warn: (size: object) => void = () => undefined) {
  const compounds = createCompounds();
  let postings = newPostings();
  let isLarge = false;
  const numbers = new Map<TextKey, number>();
  const facts: (IndexedFacts | undefined)[] = [];
  const languages = new Set<string>();

  /** The memory is estimated from the content. */
  const size = () => ({
    texts: numbers.size,
    bytes: scoredFields.reduce((sum, field) => sum + postings[field].bytes, 0),
  });

  const withdraw = (key: TextKey) => {
    const number = numbers.get(key);
    if (number === undefined) return;
    numbers.delete(key);
    facts[number] = undefined;
    for (const field of scoredFields) postings[field].remove(number);
  };

  /** The accepted texts that have a word of the query, in no order. */
  const score = (words: readonly AskedWord[], accepts: (facts: Facts) => boolean) => {
    const isIn = (text: number, way: Way) => countsIn(way, facts[text]?.language ?? '');
    const scores = new Map<number, number>();
    for (const field of scoredFields)
      for (const [text, each] of postings[field].score(words, isIn))
        scores.set(text, (scores.get(text) ?? 0) + fieldShares[field] * each);
    return [...scores].flatMap(([number, each]): Found[] => {
      const own = facts[number];
      return own === undefined || !accepts(own) ? [] : [{ score: each * own.worth, facts: own }];
    });
  };

  /** The best texts by score, best first. */
  const bestOf = (found: readonly Found[], count: number): Candidate[] => {
    const scores = Float64Array.from(found, (each) => each.score).sort();
    const least = scores.at(-count) ?? 0;
    return found
      .filter((each) => each.score >= least)
      .sort((one, other) => other.score - one.score || (one.facts.key < other.facts.key ? -1 : 1))
      .slice(0, count)
      .map(({ score: each, facts: { key, language, number } }) => {
        return { key, language, score: each, places: (terms) => postings.whole.placesOf(number, terms) };
      });
  };

  return {
    isImmediate: true,
    compounds,
    languages,
    get size() {
      return size();
    },

    async open() {
      postings = newPostings();
      numbers.clear();
      facts.length = 0;
      languages.clear();
      return 0;
    },

    async write(texts, gone) {
      for (const key of gone) withdraw(key);
      for (const text of texts) {
        withdraw(text.key);
        const { worth, ...prepared } = prepare(text, compounds);
        // Each of them gives the text the same number.
        const [number = 0] = scoredFields.map((field) => postings[field].add(prepared[field]));
        const own = { ...factsOf(text), worth, number };
        numbers.set(text.key, number);
        facts[number] = own;
        languages.add(own.language);
        if (!isLarge && size().bytes > maxBytes) {
          isLarge = true;
          warn(size());
        }
        // Lets other calls run, since a long text takes tens of milliseconds.
        await setImmediate();
      }
    },

    keep: async () => true,
    frequencies: async () => ({ texts: numbers.size, of: postings.whole.frequency }),
    closest: async (words) => words.map((word) => closestTerms(word, languages, postings.whole)),

    async find({ words, filter, otherSites, later: [from, to] }) {
      const found = score(words, filterOf(filter));
      const here = found.filter(({ facts: { site } }) => !otherSites.includes(site));
      const best = bestOf(here, Math.max(readInOrder, to));
      const on = (site: Site) => found.filter((each) => each.facts.site === site);
      return {
        texts: [...best.slice(0, readInOrder), ...best.slice(from, to)],
        total: here.length,
        facets: countFacets(here),
        elsewhere: otherSites.map((site) => ({ site, texts: bestOf(on(site), bestElsewhere) })),
      };
    },
  } satisfies SearchEngine;
}

function newPostings() {
  return { whole: createPostings(), title: createPostings(), headings: createPostings() };
}
