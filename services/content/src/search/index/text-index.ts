import MiniSearch, { type SearchOptions, type SearchResult } from 'minisearch';
import { type Compounds, createCompounds } from '../analysis/compounds.js';
import { fold } from '../analysis/fold.js';
import { primaryLanguage } from '../analysis/stem.js';
import { FactColumns, type IndexedFacts } from './fact-columns.js';
import { type Found, type FoundRoom, foundIn, newRoom } from './found.js';
import { type Field, fields, fieldWeights, learnCompounds, type PreparedText, prepare } from './prepare.js';
import type { SearchText, TextKey } from './search-text.js';

/**
 * Candidates by words: what the ranking asks of an index, in whichever form. A text has a small number, which stays the same
 * during a query, so that scores of many texts can be kept in arrays.
 */
export interface WordIndex {
  /** The number of texts. */
  readonly size: number;
  /** The numbers of all texts are below this. */
  readonly endOfNumbers: number;
  /** The primary tags of the languages that the texts have. */
  readonly languages: readonly string[];
  readonly compounds: Compounds;
  readonly facts: FactColumns;
  /** Where a search writes the texts that it finds. */
  readonly room: FoundRoom;
  /** Whether the query asked for something that is not read yet. What was found so far is then incomplete. */
  readonly isIncomplete: boolean;
  /** The terms of a text in their order, separated by spaces, from title to body; empty for an unknown text. */
  sequence(text: number): string;
  /** The texts that have all of these terms, in one of the languages; without languages in any. */
  having(terms: readonly string[], languages?: readonly string[]): Found;
  /** The texts that have a term that begins like this. */
  beginning(prefix: string): Found;
  /** The terms that differ by at most this number of letters. */
  similar(term: string, distance: number): readonly string[];
}

/** The prepared words of all published texts, in memory. */
export interface TextIndex extends WordIndex {
  /** How much memory the index needs, as estimated from its content. */
  readonly bytes: number;
  /** Whether bodies were left out, because they would need too much memory. */
  readonly isFull: boolean;
  /** The number of texts that were left out whole. */
  readonly leftOut: number;
  /** Adds a text, or replaces the one with this key. */
  put(text: SearchText): void;
  remove(key: TextKey): void;
  clear(): void;
}

/**
 * Makes an empty index. Once it needs more than `maxBytes`, further texts are added without their bodies, so that they are
 * still found by title, summary, tags, author and headings. Beyond half as much again they are left out.
 */
export function createTextIndex(maxBytes = Number.POSITIVE_INFINITY): TextIndex {
  return new MemoryIndex(maxBytes);
}

/** How a word is scored in a field (BM25+). Chosen by measurement. */
export const bm25 = { k: 1.2, b: 0.7, d: 0.5 } as const;
/** A term of a field costs this much in the index, and a text with its facts. Measured with Node 20. */
const bytesOf = { term: 55, text: 1500 };
/** The number of found texts that are remembered for the next searches. They need 50 to 60 MB. */
const maxRemembered = 100_000;

/** The share of the bound that texts without bodies may need beyond it. */
const headroom = 0.5;
/** The number of texts left out that are remembered, to count them. */
const maxOmitted = 100_000;

interface IndexedText {
  readonly number: number;
  readonly sequence: string;
  readonly bytes: number;
}

class MemoryIndex implements TextIndex {
  bytes = 0;
  readonly isIncomplete = false;
  readonly room = newRoom;
  compounds = createCompounds();
  facts = new FactColumns();
  private engine = createEngine();
  private readonly entries = new Map<TextKey, IndexedText>();
  private readonly byNumber: (IndexedText | undefined)[] = [];
  private readonly freeNumbers: number[] = [];
  // What the index found since its last change. Searches share their frequent words.
  private readonly remembered = new Map<string, Found>();
  private rememberedTexts = 0;
  private readonly omitted = new Set<TextKey>();

  constructor(private readonly maxBytes: number) {}

  get size(): number {
    return this.entries.size;
  }

  get isFull(): boolean {
    return this.bytes >= this.maxBytes;
  }

  get leftOut(): number {
    return this.omitted.size;
  }

  get endOfNumbers(): number {
    return this.facts.end;
  }

  get languages(): readonly string[] {
    return this.facts.present;
  }

  put(text: SearchText): void {
    this.remove(text.key);
    if (this.bytes >= this.maxBytes * (1 + headroom)) {
      if (this.omitted.size < maxOmitted) this.omitted.add(text.key);
      return;
    }
    learnCompounds(text, this.compounds);
    const whole = prepare(text, this.compounds);
    const prepared = this.isFull ? { ...whole, body: '' } : whole;
    this.forget();
    const number = this.freeNumbers.pop() ?? this.facts.end;
    this.engine.add({ ...prepared, number });
    this.facts.put(number, factsOf(text));
    const sequence = sequenceOf(prepared);
    const bytes = estimate(prepared) + sequence.length;
    const entry = { number, sequence, bytes };
    this.entries.set(text.key, entry);
    this.byNumber[number] = entry;
    this.bytes += bytes;
  }

  remove(key: TextKey): void {
    this.omitted.delete(key);
    const entry = this.entries.get(key);
    if (entry === undefined) return;
    this.forget();
    this.entries.delete(key);
    this.engine.discard(entry.number);
    this.facts.remove(key);
    this.byNumber[entry.number] = undefined;
    this.freeNumbers.push(entry.number);
    this.bytes -= entry.bytes;
  }

  clear(): void {
    this.forget();
    this.engine = createEngine();
    this.compounds = createCompounds();
    this.entries.clear();
    this.omitted.clear();
    this.byNumber.length = 0;
    this.freeNumbers.length = 0;
    this.facts = new FactColumns();
    this.bytes = 0;
  }

  sequence(text: number): string {
    return this.byNumber[text]?.sequence ?? '';
  }

  having(terms: readonly string[], languages: readonly string[] = []): Found {
    return foundIn(this.search(terms.join(' '), { combineWith: 'AND' }), languages, this);
  }

  beginning(prefix: string): Found {
    return this.search(prefix, { prefix: true });
  }

  similar(term: string, distance: number): readonly string[] {
    return this.search(term, { fuzzy: distance }).terms;
  }

  private search(text: string, options: SearchOptions): Found {
    const name = JSON.stringify([text, options]);
    const known = this.remembered.get(name);
    if (known !== undefined) return known;
    const found = toFound(this.engine.search(text, options));
    if (this.rememberedTexts > maxRemembered) this.forget();
    this.remembered.set(name, found);
    // A word that nothing has costs memory too.
    this.rememberedTexts += found.texts.length + 1;
    return found;
  }

  private forget(): void {
    this.remembered.clear();
    this.rememberedTexts = 0;
  }
}

type Entry = PreparedText & { readonly number: number };

function createEngine(): MiniSearch<Entry> {
  return new MiniSearch<Entry>({
    idField: 'number',
    fields: fields as Field[],
    tokenize: (text) => text.split(' '),
    processTerm: (term) => term || null,
    searchOptions: { boost: fieldWeights, bm25 },
  });
}

function toFound(results: readonly SearchResult[]): Found {
  const ordered = [...results].sort((one, other) => one.id - other.id);
  return {
    texts: Uint32Array.from(ordered, ({ id }) => id as number),
    scores: Float32Array.from(ordered, ({ score }) => score),
    terms: [...new Set(results.flatMap(({ terms }) => terms))],
  };
}

export function factsOf({ key, site, kind, language, tags, author, updatedAt }: SearchText): IndexedFacts {
  const shown = { language: primaryLanguage(language), author: foldName(author) };
  return { key, site, kind, tags, updatedAt, ...shown };
}

/** Writes a name so that it can be compared in any case and without accents. */
export function foldName(name: string): string {
  return fold(name.normalize('NFKC').toLowerCase().trim());
}

// The bars keep words of different fields apart.
export function sequenceOf({ title, gloss, summary, headings, body }: PreparedText): string {
  return [title, gloss, summary, headings, body].filter((field) => field !== '').join(' | | | | ');
}

export function estimate(prepared: PreparedText): number {
  const terms = fields.reduce((sum, field) => sum + new Set(prepared[field].split(' ')).size, 0);
  return bytesOf.text + terms * bytesOf.term;
}
