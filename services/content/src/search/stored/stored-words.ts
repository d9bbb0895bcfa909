import type { Compounds } from '../analysis/compounds.js';
import type { FactColumns } from '../index/fact-columns.js';
import { type Found, type FoundRoom, foundIn, placeOf } from '../index/found.js';
import { fields, fieldWeights } from '../index/prepare.js';
import { bm25, sequenceOf, type WordIndex } from '../index/text-index.js';
import { blockSize } from './documents.js';
import type { BlockPostings, IndexStore } from './index-store.js';
import type { KnownWords } from './known-words.js';
import { addTextCounts, scorePostings } from './postings.js';
import { byBlock, type RecentTexts, withTexts } from './recent-texts.js';
import type { ScoreRoom } from './score-room.js';
import type { TextTable } from './text-table.js';
import { preparedOf } from './text-words.js';
import type { Vocabulary } from './vocabulary.js';

export interface StoredWordsParts {
  readonly table: TextTable;
  readonly vocabulary: Vocabulary;
  readonly compounds: Compounds;
  readonly store: Pick<IndexStore, 'postings' | 'prepared'>;
  readonly known: KnownWords;
  readonly room: ScoreRoom;
  readonly recent: Pick<RecentTexts, 'current'>;
}

/**
 * The stored index as one query sees it. What the query asks for and is not read yet is noted, and found to be empty, until
 * `load` has read it.
 */
export class StoredWords implements WordIndex {
  /** What the query has found. A step that runs again asks for it again. */
  private readonly found = new Map<string, Found>();
  private readonly beginnings = new Map<string, Found>();
  private readonly spellings = new Map<string, readonly string[]>();
  private readonly sequences = new Map<number, string>();
  private readonly wantedTerms = new Set<string>();
  private readonly wantedTexts = new Set<number>();
  private termCount = 0;
  private readonly generation: number;

  constructor(private readonly parts: StoredWordsParts) {
    this.generation = parts.known.generation;
  }

  get size(): number {
    return this.facts.size;
  }

  get endOfNumbers(): number {
    return this.facts.end;
  }

  get languages(): readonly string[] {
    return this.facts.present;
  }

  get compounds(): Compounds {
    return this.parts.compounds;
  }

  get isIncomplete(): boolean {
    return this.wantedTerms.size > 0 || this.wantedTexts.size > 0;
  }

  get room(): FoundRoom {
    return this.parts.room;
  }

  get facts(): FactColumns {
    return this.parts.table.facts;
  }

  sequence(text: number): string {
    const known = this.sequences.get(text) ?? this.parts.known.sequenceOf(text);
    // The order is not final as long as words are missing.
    if (known === undefined && this.wantedTerms.size === 0) this.wantedTexts.add(text);
    return known ?? '';
  }

  having(terms: readonly string[], languages: readonly string[] = []): Found {
    const name = nameOf(terms, languages);
    const before = this.found.get(name) ?? this.parts.known.foundOf(name, this.generation);
    if (before !== undefined) return this.note(name, before);
    const found = this.find(terms, languages);
    if (terms.some((term) => this.wantedTerms.has(term))) return found;
    // Beyond the bound nothing more is found.
    if (this.termCount < maxTerms) this.parts.known.keepFound(name, found, this.generation);
    return this.note(name, found);
  }

  beginning(prefix: string): Found {
    if (this.wantedTerms.size > 0) return nothing;
    const known = this.beginnings.get(prefix);
    if (known !== undefined) return known;
    const longer = this.parts.vocabulary.beginning(prefix).map((term) => {
      const more = term.length - prefix.length;
      return { term, weight: (longerWord * term.length) / (term.length + 0.3 * more) };
    });
    const found = this.any([{ term: prefix, weight: 1 }, ...longer]);
    if (this.wantedTerms.size === 0) this.beginnings.set(prefix, found);
    return found;
  }

  similar(term: string, distance: number): readonly string[] {
    if (this.wantedTerms.size > 0) return [];
    const name = `${distance} ${term}`;
    let known = this.spellings.get(name);
    if (known === undefined) {
      const { vocabulary } = this.parts;
      const others = vocabulary.similar(term, distance).map((other) => other.term);
      known = vocabulary.has(term) ? [term, ...others] : others;
      this.spellings.set(name, known);
    }
    return known;
  }

  /** Reads what was asked for. */
  async load(signal: AbortSignal): Promise<void> {
    const terms = [...this.wantedTerms];
    const texts = [...this.wantedTexts];
    this.wantedTerms.clear();
    this.wantedTexts.clear();
    const { store, known, recent } = this.parts;
    const { generation } = known;
    const before = recent.current;
    const [postings, prepared] = await Promise.all([
      terms.length === 0 ? new Map<string, readonly BlockPostings[]>() : store.postings(terms, signal),
      texts.length === 0 ? new Map<number, string>() : store.prepared(texts, signal),
    ]);
    // A text may have changed since, or may have been merged after the database was read.
    const changed = recent.current === before ? before : new Map([...before, ...recent.current]);
    const changedBlocks = byBlock(changed);
    for (const term of terms) {
      const blocks = withTexts(postings.get(term) ?? [], term, changedBlocks);
      this.found.set(nameOf([term]), this.score(term, blocks));
      known.keepPostings(term, blocks, generation);
    }
    for (const text of texts) {
      const words = changed.has(text) ? changed.get(text)?.words.prepared : prepared.get(text);
      const sequence = words === undefined ? '' : sequenceOf(preparedOf({ prepared: words }));
      this.sequences.set(text, sequence);
      known.keepSequence(text, sequence, generation);
    }
  }

  private note(name: string, found: Found): Found {
    this.found.set(name, found);
    return found;
  }

  private find(terms: readonly string[], languages: readonly string[]): Found {
    if (languages.length > 0) return foundIn(this.having(terms), languages, this);
    const [first = ''] = terms;
    if (terms.length === 1) return this.textsOf(first);
    const each = terms.map((term) => this.having([term]));
    return intersect(each, terms, this.room);
  }

  private textsOf(term: string): Found {
    const { vocabulary, known } = this.parts;
    if ((!vocabulary.has(term) && !vocabulary.isFull) || this.termCount >= maxTerms) return nothing;
    if (!this.wantedTerms.has(term)) this.termCount++;
    const blocks = known.postingsOf(term);
    if (blocks === undefined) {
      this.wantedTerms.add(term);
      return nothing;
    }
    return this.score(term, blocks);
  }

  private any(terms: readonly { readonly term: string; readonly weight: number }[]): Found {
    const each = terms.map(({ term, weight }) => ({ found: this.having([term]), weight }));
    const having = terms.flatMap(({ term }, at) => (each[at]?.found.texts.length ? [term] : []));
    return { ...unite(each, this.endOfNumbers, this.room), terms: having };
  }

  private score(term: string, blocks: readonly BlockPostings[]): Found {
    const { table, room } = this.parts;
    const texts = new Float64Array(fields.length);
    for (const { postings } of blocks) addTextCounts(postings, texts);
    const { lengths } = table;
    const { size } = this;
    const averages = table.averageLengths();
    const weights = Float64Array.from(fields, (field, at) => {
      const having = texts[at] ?? 0;
      return fieldWeights[field] * Math.log(1 + (size - having + 0.5) / (having + 0.5));
    });
    const perWord = Float64Array.from(averages, (average) => (bm25.k * bm25.b) / average);
    const bytes = blocks.reduce((sum, { postings }) => sum + postings.length, 0);
    const into = room.take(Math.min(Math.ceil(bytes / leastPosting), this.endOfNumbers));
    const scoring = { weights, lengths, perWord, ...bm25 };
    for (const { block, postings } of blocks) scorePostings(postings, block * blockSize, scoring, into);
    return { ...room.keep(into), terms: [term] };
  }
}

/** The name under which is kept what terms found in some languages. */
function nameOf(terms: readonly string[], languages: readonly string[] = []): string {
  return `${terms.join(' ')}|${languages.join(' ')}`;
}

/** A text needs at least this many bytes in postings. */
const leastPosting = 2;
/** The largest number of terms that one query reads. A query has fewer as a rule; further ones are left out. */
const maxTerms = 500;
/** How much a longer word counts, as in MiniSearch. */
const longerWord = 0.375;

const nothing: Found = { texts: new Uint32Array(0), scores: new Float32Array(0), terms: [] };

/** The texts that have all of the terms. As in MiniSearch, the sum of their scores counts once for each term. */
function intersect(parts: readonly Found[], terms: readonly string[], room: FoundRoom): Found {
  const shortest = parts.reduce((one, other) => (other.texts.length < one.texts.length ? other : one));
  const places = parts.map(() => 0);
  const into = room.take(shortest.texts.length);
  for (let each = 0; each < shortest.texts.length; each++) {
    const text = shortest.texts[each] ?? 0;
    let score = 0;
    let having = 0;
    for (let part = 0; part < parts.length; part++) {
      const found = parts[part] ?? nothing;
      const at = placeOf(found.texts, text, places[part] ?? 0);
      places[part] = at;
      if (found.texts[at] !== text) break;
      score += found.scores[at] ?? 0;
      having++;
    }
    if (having < parts.length) continue;
    into.texts[into.count] = text;
    into.scores[into.count++] = score * parts.length;
  }
  return { ...room.keep(into), terms };
}

/** The texts that have any of the terms, with the sum of their scores. */
function unite(
  parts: readonly { readonly found: Found; readonly weight: number }[],
  endOfNumbers: number,
  room: FoundRoom,
): Pick<Found, 'texts' | 'scores'> {
  const scores = new Float32Array(endOfNumbers);
  const isSeen = new Uint8Array(endOfNumbers);
  let count = 0;
  for (const { found, weight } of parts) {
    for (let at = 0; at < found.texts.length; at++) {
      const text = found.texts[at] ?? 0;
      if (isSeen[text] === 0) count++;
      isSeen[text] = 1;
      scores[text] = (scores[text] ?? 0) + (found.scores[at] ?? 0) * weight;
    }
  }
  const into = room.take(count);
  for (let text = 0; into.count < count; text++) {
    if (isSeen[text] !== 1) continue;
    into.texts[into.count] = text;
    into.scores[into.count++] = scores[text] ?? 0;
  }
  return room.keep(into);
}
