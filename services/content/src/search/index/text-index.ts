import MiniSearch, { type SearchOptions, type SearchResult } from 'minisearch';
import { type Compounds, createCompounds } from '../analysis/compounds.js';
import { fold } from '../analysis/fold.js';
import { primaryLanguage } from '../analysis/stem.js';
import { type Field, fields, fieldWeights, learnCompounds, type PreparedText, prepare } from './prepare.js';
import type { SearchText, TextKey } from './search-text.js';

/** The facts of an indexed text that filters and facets use. */
export type IndexedFacts = Pick<SearchText, 'key' | 'site' | 'kind' | 'tags' | 'publishedAt' | 'updatedAt'> & {
  /** The primary tag; empty if unknown. */
  readonly language: string;
  /** The author without accents in lower case. */
  readonly author: string;
};

/** A text that has a term. */
export interface Found {
  readonly key: TextKey;
  readonly score: number;
  /** The terms of the index that matched; several for a prefix or a similar spelling. */
  readonly terms: readonly string[];
}

/** The prepared words of all published texts, in memory. */
export interface TextIndex {
  /** The number of texts. */
  readonly size: number;
  /** How much memory the index needs, as estimated from its content. */
  readonly bytes: number;
  /** The primary tags of the languages that the texts have. */
  readonly languages: readonly string[];
  readonly compounds: Compounds;
  /** Adds a text, or replaces the one with this key. */
  put(text: SearchText): void;
  remove(key: TextKey): void;
  clear(): void;
  facts(key: TextKey): IndexedFacts | undefined;
  /** The terms of a text in their order, separated by spaces, from title to body; empty for an unknown text. */
  sequence(key: TextKey): string;
  /** The texts that have all of these terms. */
  having(terms: readonly string[]): readonly Found[];
  /** The texts that have a term that begins like this. */
  beginning(prefix: string): readonly Found[];
  /** The texts that have a term that differs by at most this number of letters. */
  similar(term: string, distance: number): readonly Found[];
}

/**
 * Makes an empty index. Once it needs more than `maxBytes`, further texts are added without their bodies, so that they are
 * still found by title, summary, tags, author and headings.
 */
export function createTextIndex(maxBytes = Number.POSITIVE_INFINITY): TextIndex {
  return new MemoryIndex(maxBytes);
}

/** A term of a field costs this much in the index, and a text with its facts. Measured with Node 20. */
const bytesOf = { term: 55, text: 1500 };
/** The number of found texts that are remembered for the next searches. They need about 10 MB. */
const maxRemembered = 100_000;

interface IndexedText {
  readonly facts: IndexedFacts;
  readonly sequence: string;
  readonly bytes: number;
}

class MemoryIndex implements TextIndex {
  bytes = 0;
  compounds = createCompounds();
  private engine = createEngine();
  private readonly entries = new Map<TextKey, IndexedText>();
  private readonly languageCounts = new Map<string, number>();
  // What the index found since its last change. Searches share their frequent words.
  private readonly remembered = new Map<string, readonly Found[]>();
  private rememberedTexts = 0;

  constructor(private readonly maxBytes: number) {}

  get size(): number {
    return this.entries.size;
  }

  get languages(): readonly string[] {
    return [...this.languageCounts.keys()];
  }

  put(text: SearchText): void {
    learnCompounds(text, this.compounds);
    this.remove(text.key);
    const whole = prepare(text, this.compounds);
    const prepared = this.bytes < this.maxBytes ? whole : { ...whole, body: '' };
    this.forget();
    this.engine.add({ ...prepared, key: text.key });
    const facts = factsOf(text);
    const sequence = sequenceOf(prepared);
    const bytes = estimate(prepared) + sequence.length;
    this.entries.set(text.key, { facts, sequence, bytes });
    this.bytes += bytes;
    this.count(facts.language, 1);
  }

  remove(key: TextKey): void {
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.forget();
    this.entries.delete(key);
    this.engine.discard(key);
    this.bytes -= entry.bytes;
    this.count(entry.facts.language, -1);
  }

  clear(): void {
    this.forget();
    this.engine = createEngine();
    this.compounds = createCompounds();
    this.entries.clear();
    this.languageCounts.clear();
    this.bytes = 0;
  }

  facts(key: TextKey): IndexedFacts | undefined {
    return this.entries.get(key)?.facts;
  }

  sequence(key: TextKey): string {
    return this.entries.get(key)?.sequence ?? '';
  }

  having(terms: readonly string[]): readonly Found[] {
    return this.search(terms.join(' '), { combineWith: 'AND' });
  }

  beginning(prefix: string): readonly Found[] {
    return this.search(prefix, { prefix: true });
  }

  similar(term: string, distance: number): readonly Found[] {
    return this.search(term, { fuzzy: distance });
  }

  private search(text: string, options: SearchOptions): readonly Found[] {
    const name = JSON.stringify([text, options]);
    const known = this.remembered.get(name);
    if (known !== undefined) return known;
    const found = this.engine.search(text, options).map(toFound);
    if (this.rememberedTexts > maxRemembered) this.forget();
    this.remembered.set(name, found);
    // A word that nothing has costs memory too.
    this.rememberedTexts += found.length + 1;
    return found;
  }

  private forget(): void {
    this.remembered.clear();
    this.rememberedTexts = 0;
  }

  private count(language: string, by: number): void {
    const count = (this.languageCounts.get(language) ?? 0) + by;
    if (count > 0) this.languageCounts.set(language, count);
    else this.languageCounts.delete(language);
  }
}

type Entry = PreparedText & { readonly key: TextKey };

function createEngine(): MiniSearch<Entry> {
  return new MiniSearch<Entry>({
    idField: 'key',
    fields: fields as Field[],
    tokenize: (text) => text.split(' '),
    processTerm: (term) => term || null,
    searchOptions: { boost: fieldWeights, bm25: { k: 1.2, b: 0.7, d: 0.5 } },
  });
}

function toFound({ id, score, terms }: SearchResult): Found {
  return { key: id as TextKey, score, terms };
}

function factsOf({ key, site, kind, language, tags, author, publishedAt, updatedAt }: SearchText): IndexedFacts {
  const shown = { language: primaryLanguage(language), author: foldName(author) };
  return { key, site, kind, tags, publishedAt, updatedAt, ...shown };
}

/** Writes a name so that it can be compared in any case and without accents. */
export function foldName(name: string): string {
  return fold(name.normalize('NFKC').toLowerCase().trim());
}

// The bars keep words of different fields apart.
function sequenceOf({ title, gloss, summary, headings, body }: PreparedText): string {
  return [title, gloss, summary, headings, body].filter((field) => field !== '').join(' | | | | ');
}

function estimate(prepared: PreparedText): number {
  const terms = fields.reduce((sum, field) => sum + new Set(prepared[field].split(' ')).size, 0);
  return bytesOf.text + terms * bytesOf.term;
}
