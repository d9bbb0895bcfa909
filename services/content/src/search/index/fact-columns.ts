import { type Site, sites } from '@knowledge/runtime';
import type { SearchText, TextKey, TextKind } from './search-text.js';

/** The facts of an indexed text that filters and facets use. */
export type IndexedFacts = Pick<SearchText, 'key' | 'site' | 'kind' | 'tags' | 'updatedAt'> & {
  /** The primary tag; empty if unknown. */
  readonly language: string;
  /** The author without accents in lower case. */
  readonly author: string;
};

/**
 * The facts of all texts by their numbers, one array for each fact. A frequent word is in most texts, so filters and facets
 * look at numbers in arrays, not at objects.
 */
export class FactColumns {
  readonly languages = new Codes();
  readonly authors = new Codes();
  readonly kinds = new Codes();
  readonly tags = new Codes();
  keys: (TextKey | undefined)[] = [];
  site = new Uint8Array(0);
  kind = new Uint8Array(0);
  language = new Uint16Array(0);
  author = new Uint32Array(0);
  updatedAt = new Float64Array(0);
  /** Where the tags of a text begin in `tagList`, and how many it has. */
  tagStart = new Uint32Array(0);
  tagCount = new Uint16Array(0);
  tagList = new Uint32Array(256);
  private tagEnd = 0;
  private wastedTags = 0;
  private readonly numbers = new Map<TextKey, number>();
  private readonly languageCounts: number[] = [];

  get size(): number {
    return this.numbers.size;
  }

  /** The numbers of all texts are below this. */
  get end(): number {
    return this.keys.length;
  }

  /** The languages that the texts have. */
  get present(): readonly string[] {
    return this.languageCounts.flatMap((count, code) => (count > 0 ? [this.languages.value(code)] : []));
  }

  /** The number of texts in a language. */
  countOf(language: string): number {
    return this.languageCounts[this.languages.find(language) ?? -1] ?? 0;
  }

  get bytes(): number {
    const columns = [this.site, this.kind, this.language, this.author, this.updatedAt, this.tagStart, this.tagCount];
    const arrays = [...columns, this.tagList].reduce((sum, { byteLength }) => sum + byteLength, 0);
    return arrays + this.size * bytesPerKey;
  }

  numberOf(key: TextKey): number | undefined {
    return this.numbers.get(key);
  }

  has(text: number): boolean {
    return this.keys[text] !== undefined;
  }

  hasTag(text: number, code: number): boolean {
    const start = this.tagStart[text] ?? 0;
    const end = start + (this.tagCount[text] ?? 0);
    for (let at = start; at < end; at++) if (this.tagList[at] === code) return true;
    return false;
  }

  put(text: number, { key, site, kind, language, author, tags, updatedAt }: IndexedFacts): void {
    this.remove(key);
    this.grow(text + 1);
    this.keys[text] = key;
    this.numbers.set(key, text);
    this.site[text] = sites.indexOf(site);
    this.kind[text] = this.kinds.code(kind);
    this.language[text] = this.languages.code(language);
    this.author[text] = this.authors.code(author);
    this.updatedAt[text] = updatedAt.getTime();
    this.putTags(text, tags);
    this.countLanguage(text, 1);
  }

  remove(key: TextKey): void {
    const text = this.numbers.get(key);
    if (text === undefined) return;
    this.numbers.delete(key);
    this.keys[text] = undefined;
    this.wastedTags += this.tagCount[text] ?? 0;
    this.tagCount[text] = 0;
    this.countLanguage(text, -1);
  }

  facts(text: number): IndexedFacts | undefined {
    const key = this.keys[text];
    if (key === undefined) return undefined;
    const start = this.tagStart[text] ?? 0;
    const tags = [...this.tagList.subarray(start, start + (this.tagCount[text] ?? 0))];
    return {
      key,
      site: sites[this.site[text] ?? 0] as Site,
      kind: this.kinds.value(this.kind[text] ?? 0) as TextKind,
      language: this.languages.value(this.language[text] ?? 0),
      author: this.authors.value(this.author[text] ?? 0),
      tags: tags.map((tag) => this.tags.value(tag)),
      updatedAt: new Date(this.updatedAt[text] ?? 0),
    };
  }

  private putTags(text: number, tags: readonly string[]): void {
    if (this.wastedTags > 1000 && this.wastedTags > this.tagEnd / 2) this.compactTags();
    if (this.tagEnd + tags.length > this.tagList.length) {
      const larger = new Uint32Array((this.tagEnd + tags.length) * 2);
      larger.set(this.tagList);
      this.tagList = larger;
    }
    this.tagStart[text] = this.tagEnd;
    this.tagCount[text] = tags.length;
    for (const tag of tags) this.tagList[this.tagEnd++] = this.tags.code(tag);
  }

  private compactTags(): void {
    const old = this.tagList.slice(0, this.tagEnd);
    this.tagEnd = 0;
    for (let text = 0; text < this.end; text++) {
      const start = this.tagStart[text] ?? 0;
      this.tagStart[text] = this.tagEnd;
      for (let at = start; at < start + (this.tagCount[text] ?? 0); at++) this.tagList[this.tagEnd++] = old[at] ?? 0;
    }
    this.wastedTags = 0;
  }

  private countLanguage(text: number, by: number): void {
    const code = this.language[text] ?? 0;
    this.languageCounts[code] = (this.languageCounts[code] ?? 0) + by;
  }

  private grow(end: number): void {
    while (this.keys.length < end) this.keys.push(undefined);
    if (this.site.length >= end) return;
    const room = Math.ceil(end * 1.25) + 64;
    const larger = <Column extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(
      column: Column,
      empty: Column,
    ): Column => {
      empty.set(column);
      return empty;
    };
    this.site = larger(this.site, new Uint8Array(room));
    this.kind = larger(this.kind, new Uint8Array(room));
    this.language = larger(this.language, new Uint16Array(room));
    this.author = larger(this.author, new Uint32Array(room));
    this.updatedAt = larger(this.updatedAt, new Float64Array(room));
    this.tagStart = larger(this.tagStart, new Uint32Array(room));
    this.tagCount = larger(this.tagCount, new Uint16Array(room));
  }
}

/** A number for each different value, from 0 on. */
class Codes {
  private readonly codes = new Map<string, number>();
  private readonly values: string[] = [];

  get size(): number {
    return this.values.length;
  }

  code(value: string): number {
    const known = this.codes.get(value);
    if (known !== undefined) return known;
    const code = this.values.push(value) - 1;
    this.codes.set(value, code);
    return code;
  }

  /** The code of a value that a text may have; undefined if none has it. */
  find(value: string): number | undefined {
    return this.codes.get(value);
  }

  value(code: number): string {
    return this.values[code] ?? '';
  }
}

/** The key of a text as a string and in a map. */
const bytesPerKey = 150;
