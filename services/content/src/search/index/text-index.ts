import { setImmediate } from 'node:timers/promises';
import { type Site, sites } from '@knowledge/runtime';
import { createCompounds } from '../analysis/compounds.js';
import { readInOrder, type SearchEngine } from '../engine.js';
import { createFacets, type Facts, factsOf, filterOf } from '../filter.js';
import type { AskedWord } from '../query/asked-word.js';
import { closestTerms } from '../query/spelling.js';
import type { TextKey } from '../texts/search-text.js';
import { createPostings } from './postings.js';
import { fieldShares, prepare, scoredFields } from './prepare.js';

/** Keeps the prepared words of all published texts in memory. It warns, once, when it needs more memory than this. */
export function createTextIndex(maxBytes: number, warn: (size: object) => void) {
  const compounds = createCompounds();
  const facets = createFacets();
  let postings = newPostings();
  let isLarge = false;
  const numbers = new Map<TextKey, number>();
  const facts: (Facts | undefined)[] = [];
  // What a search reads of every text that has a word of it. A look at the facts of thousands of texts would cost most of its time.
  const siteOf: Site[] = [];
  const worthOf: number[] = [];
  const facetsOf: (readonly number[])[] = [];
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

  /** The score of each text by its number. */
  const score = (words: readonly AskedWord[]) => {
    const scores = new Float64Array(facts.length);
    for (const field of scoredFields) {
      postings[field].score(words).forEach((each, text) => {
        if (each > 0) scores[text] = (scores[text] ?? 0) + fieldShares[field] * each * (worthOf[text] ?? 0);
      });
    }
    return scores;
  };

  /** The best of these texts by score, best first. */
  const bestOf = (texts: readonly number[], scores: Float64Array, count: number) => {
    const least =
      Float64Array.from(texts, (text) => scores[text] ?? 0)
        .sort()
        .at(-count) ?? 0;
    return texts
      .filter((text) => (scores[text] ?? 0) >= least)
      .flatMap((text) => {
        const { key } = facts[text] ?? {};
        const places = (terms: ReadonlySet<string>) => postings.whole.placesOf(text, terms);
        return key === undefined ? [] : [{ key, score: scores[text] ?? 0, places }];
      })
      .sort((one, other) => other.score - one.score || (one.key < other.key ? -1 : 1))
      .slice(0, count);
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
        const own = factsOf(text);
        numbers.set(text.key, number);
        facts[number] = own;
        siteOf[number] = own.site;
        worthOf[number] = worth;
        facetsOf[number] = facets.of(own);
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
      const scores = score(words);
      const accepts = filterOf(filter);
      const found = new Map<Site, number[]>(sites.map((site) => [site, []]));
      scores.forEach((each, text) => {
        const [site, own] = [siteOf[text], facts[text]];
        if (each > 0 && site !== undefined && own !== undefined && accepts(own)) found.get(site)?.push(text);
      });
      const here = sites.filter((site) => !otherSites.includes(site)).flatMap((site) => found.get(site) ?? []);
      const best = bestOf(here, scores, Math.max(readInOrder, to));
      return {
        texts: [...best.slice(0, readInOrder), ...best.slice(from, to)],
        total: here.length,
        facets: facets.count(here.map((text) => facetsOf[text] ?? [])),
        elsewhere: otherSites.map((site) => ({ site, texts: bestOf(found.get(site) ?? [], scores, readInOrder) })),
      };
    },
  } satisfies SearchEngine;
}

function newPostings() {
  return { whole: createPostings(), title: createPostings(), headings: createPostings() };
}
