import { setImmediate } from 'node:timers/promises';
import { sites } from '@knowledge/runtime';
import { type Compounds, createCompounds } from '../analysis/compounds.js';
import { primaryLanguage } from '../analysis/stem.js';
import { bestElsewhere, type FedEngine, type Findings, type Question } from '../engine.js';
import { countFacets } from '../facets.js';
import { type Facts, filterOf } from '../filter.js';
import { type AskedWord, countsIn } from '../query/asked-word.js';
import type { Frequencies, KnownTerm } from '../query/read-query.js';
import { closestTerms, spelledForms } from '../query/spelling.js';
import { type Candidate, readInOrder } from '../rules/rank.js';
import type { SearchText, TextKey } from '../texts/search-text.js';
import { type IsIn, Postings } from './postings.js';
import { ownScores, prepare } from './prepare.js';

/** A text that has a word of the query. */
interface Found {
  readonly number: number;
  readonly score: number;
  readonly facts: Facts;
}

/** The prepared words of all published texts, in memory. */
export class TextIndex implements FedEngine {
  readonly isImmediate = true;
  compounds: Compounds = createCompounds();
  private postings = newPostings();
  private readonly numbers = new Map<TextKey, number>();
  private readonly facts: (Facts | undefined)[] = [];
  private readonly worths: number[] = [];
  private readonly counts = new Map<string, number>();
  private isLarge = false;

  /** It warns, once, when it needs more memory than this. */
  constructor(
    private readonly maxBytes = Number.POSITIVE_INFINITY,
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
    return postingsOf.reduce((sum, field) => sum + this.postings[field].bytes, 0);
  }

  get languages(): readonly string[] {
    return [...this.counts.keys()];
  }

  /** Adds a text, or replaces the one with this key. */
  put(text: SearchText): void {
    this.withdraw(text.key);
    const { key, site, kind, language, tags, author, updatedAt } = text;
    const prepared = prepare(text, this.compounds);
    // Each of them gives the text the same number.
    const [number = 0] = postingsOf.map((field) => this.postings[field].add(prepared[field]));
    const facts = { key, site, kind, tags, author, updatedAt, language: primaryLanguage(language) };
    this.numbers.set(key, number);
    this.facts[number] = facts;
    this.worths[number] = prepared.worth;
    this.count(facts.language, 1);
  }

  withdraw(key: TextKey): void {
    const number = this.numbers.get(key);
    if (number === undefined) return;
    this.count(this.facts[number]?.language ?? '', -1);
    this.numbers.delete(key);
    this.facts[number] = undefined;
    for (const field of postingsOf) this.postings[field].remove(number);
  }

  open(): Promise<number> {
    this.compounds = createCompounds();
    this.postings = newPostings();
    this.numbers.clear();
    this.facts.length = 0;
    this.counts.clear();
    this.isLarge = false;
    return Promise.resolve(0);
  }

  async write(texts: readonly SearchText[], gone: readonly TextKey[]): Promise<void> {
    for (const key of gone) this.withdraw(key);
    for (const text of texts) {
      this.put(text);
      if (!this.isLarge && this.bytes > this.maxBytes) {
        this.isLarge = true;
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
    const closestTo = (word: string): string[] => closestTerms(word, spelledForms(word, this.languages), whole);
    return Promise.resolve(
      words.map((word) => closestTo(word).map((term) => ({ term, frequency: whole.frequency(term) }))),
    );
  }

  find({ words, filter, later: [from, to] }: Question): Promise<Findings> {
    const { site } = filter;
    const accepts = filterOf(filter);
    const found = this.score(words).filter(({ facts }) => accepts(facts));
    const here = found.filter(({ facts }) => site === undefined || facts.site === site);
    const best = bestOf(here, Math.max(readInOrder, to));
    const others = site === undefined ? [] : sites.filter((each) => each !== site);
    return Promise.resolve({
      texts: [...best.slice(0, readInOrder), ...best.slice(from, to)].map(this.candidate),
      total: here.length,
      facets: countFacets(here),
      elsewhere: others.map((other) => {
        const there = found.filter(({ facts }) => facts.site === other);
        return { site: other, texts: bestOf(there, bestElsewhere).map(this.candidate) };
      }),
    });
  }

  /** The texts that have a word of the query, in no order. */
  private score(words: readonly AskedWord[]): Found[] {
    const { whole, title, headings } = this.postings;
    const isIn: IsIn = (text, way) => countsIn(way, this.facts[text]?.language ?? '');
    const scores = new Map(whole.score(words, isIn).map(({ text, score }) => [text, score]));
    for (const { text, score } of title.score(words, isIn))
      scores.set(text, (scores.get(text) ?? 0) + ownScores.title * score);
    for (const { text, score } of headings.score(words, isIn))
      scores.set(text, (scores.get(text) ?? 0) + ownScores.headings * score);
    return [...scores].flatMap(([number, score]) => {
      const facts = this.facts[number];
      return facts === undefined ? [] : [{ score: score * (this.worths[number] ?? 1), facts, number }];
    });
  }

  private readonly candidate = ({ number, score, facts: { key, language } }: Found): Candidate => {
    return { key, score, language, places: (terms) => this.postings.whole.placesOf(number, terms) };
  };

  private count(language: string, by: number): void {
    const count = (this.counts.get(language) ?? 0) + by;
    if (count > 0) this.counts.set(language, count);
    else this.counts.delete(language);
  }
}

const postingsOf = ['whole', 'title', 'headings'] as const;

function newPostings(): Readonly<Record<(typeof postingsOf)[number], Postings>> {
  return { whole: new Postings(), title: new Postings(), headings: new Postings() };
}

/** The best texts by score, best first. */
function bestOf(found: readonly Found[], count: number): Found[] {
  const least =
    found.length <= count
      ? 0
      : (Float64Array.from(found, ({ score }) => score)
          .sort()
          .at(-count) ?? 0);
  return found
    .filter(({ score }) => score >= least)
    .sort((one, other) => other.score - one.score || (one.facts.key < other.facts.key ? -1 : 1))
    .slice(0, count);
}
