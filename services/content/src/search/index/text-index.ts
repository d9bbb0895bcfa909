import { setImmediate } from 'node:timers/promises';
import { sites } from '@knowledge/runtime';
import { type Compounds, createCompounds } from '../analysis/compounds.js';
import { bestElsewhere, type Findings, type Question, type SearchEngine } from '../engine.js';
import { countFacets } from '../facets.js';
import { type Facts, factsOf, filterOf } from '../filter.js';
import { type AskedWord, countsIn, type Way } from '../query/asked-word.js';
import type { Frequencies } from '../query/read-query.js';
import { closestTerms, type KnownTerm, spelledForms } from '../query/spelling.js';
import { type Candidate, readInOrder } from '../rules/rank.js';
import type { SearchText, TextKey } from '../texts/search-text.js';
import { Postings } from './postings.js';
import { fieldShares, prepare, scoredFields } from './prepare.js';

/** A text that has a word of the query. */
interface Found {
  readonly number: number;
  readonly score: number;
  readonly facts: Facts;
}

/** The prepared words of all published texts, in memory. */
export class TextIndex implements SearchEngine {
  readonly isImmediate = true;
  compounds: Compounds = createCompounds();
  private postings = newPostings();
  private readonly numbers = new Map<TextKey, number>();
  private readonly facts: ((Facts & { readonly worth: number }) | undefined)[] = [];
  private readonly known = new Set<string>();

  /** It warns, once, when it needs more memory than this. */
  constructor(
    private maxBytes = Number.POSITIVE_INFINITY,
    private readonly warn: (size: object) => void = () => undefined,
  ) {}

  get texts(): number {
    return this.numbers.size;
  }

  get size(): object {
    return { texts: this.texts, bytes: this.bytes };
  }

  /** How much memory it needs, as estimated from its content. */
  get bytes(): number {
    return scoredFields.reduce((sum, field) => sum + this.postings[field].bytes, 0);
  }

  get languages(): readonly string[] {
    return [...this.known];
  }

  /** Adds a text, or replaces the one with this key. */
  put(text: SearchText): void {
    this.withdraw(text.key);
    const prepared = prepare(text, this.compounds);
    // Each of them gives the text the same number.
    const [number = 0] = scoredFields.map((field) => this.postings[field].add(prepared[field]));
    const facts = { ...factsOf(text), worth: prepared.worth };
    this.numbers.set(text.key, number);
    this.facts[number] = facts;
    this.known.add(facts.language);
  }

  withdraw(key: TextKey): void {
    const number = this.numbers.get(key);
    if (number === undefined) return;
    this.numbers.delete(key);
    this.facts[number] = undefined;
    for (const field of scoredFields) this.postings[field].remove(number);
  }

  open(): Promise<number> {
    this.compounds = createCompounds();
    this.postings = newPostings();
    this.numbers.clear();
    this.facts.length = 0;
    this.known.clear();
    return Promise.resolve(0);
  }

  async write(texts: readonly SearchText[], gone: readonly TextKey[]): Promise<void> {
    for (const key of gone) this.withdraw(key);
    for (const text of texts) {
      this.put(text);
      if (this.bytes > this.maxBytes) {
        this.maxBytes = Number.POSITIVE_INFINITY;
        this.warn(this.size);
      }
      // Lets other calls run, since a long text takes tens of milliseconds.
      await setImmediate();
    }
  }

  keep(): Promise<boolean> {
    return Promise.resolve(true);
  }

  frequencies(): Promise<Frequencies> {
    return Promise.resolve({ texts: this.texts, of: this.postings.whole.frequency });
  }

  closest(words: readonly string[]): Promise<KnownTerm[][]> {
    const { whole } = this.postings;
    return Promise.resolve(words.map((word) => closestTerms(word, spelledForms(word, this.languages), whole)));
  }

  find({ words, filter, later: [from, to] }: Question): Promise<Findings> {
    const { site } = filter;
    const found = this.score(words, filterOf(filter));
    const on = (each: typeof site) => found.filter(({ facts }) => each === undefined || facts.site === each);
    const here = on(site);
    const best = this.bestOf(here, Math.max(readInOrder, to));
    const others = site === undefined ? [] : sites.filter((each) => each !== site);
    return Promise.resolve({
      texts: [...best.slice(0, readInOrder), ...best.slice(from, to)],
      total: here.length,
      facets: countFacets(here),
      elsewhere: others.map((other) => ({ site: other, texts: this.bestOf(on(other), bestElsewhere) })),
    });
  }

  /** The accepted texts that have a word of the query, in no order. */
  private score(words: readonly AskedWord[], accepts: (facts: Facts) => boolean): Found[] {
    const isIn = (text: number, way: Way) => countsIn(way, this.facts[text]?.language ?? '');
    const scores = new Map<number, number>();
    for (const field of scoredFields)
      for (const [text, score] of this.postings[field].score(words, isIn))
        scores.set(text, (scores.get(text) ?? 0) + fieldShares[field] * score);
    return [...scores].flatMap(([number, score]) => {
      const facts = this.facts[number];
      return facts === undefined || !accepts(facts) ? [] : [{ score: score * facts.worth, facts, number }];
    });
  }

  /** The best texts by score, best first. */
  private bestOf(found: readonly Found[], count: number): Candidate[] {
    const scores = Float64Array.from(found, ({ score }) => score).sort();
    const least = scores.at(-count) ?? 0;
    return found
      .filter(({ score }) => score >= least)
      .sort((one, other) => other.score - one.score || (one.facts.key < other.facts.key ? -1 : 1))
      .slice(0, count)
      .map(({ number, score, facts: { key, language } }) => ({
        key,
        score,
        language,
        places: (terms) => this.postings.whole.placesOf(number, terms),
      }));
  }
}

function newPostings(): Readonly<Record<(typeof scoredFields)[number], Postings>> {
  return { whole: new Postings(), title: new Postings(), headings: new Postings() };
}
