import type { Site } from '@knowledge/runtime';
import { primaryLanguage } from './analysis/stem.js';
import { fold } from './analysis/words.js';
import type { SearchText, TextKind } from './texts/search-text.js';

/** What searches filter and count by. The language is a primary tag, and the names are those of the author. */
export type Facts = ReturnType<typeof factsOf>;

export function factsOf({ key, site, kind, language, tags, author, updatedAt }: SearchText) {
  return { key, site, kind, tags, updatedAt, language: primaryLanguage(language), names: nameWords(author) };
}

/** Which texts a search may find. Undefined and empty parts match all. */
export interface SearchFilter {
  readonly site?: Site | undefined;
  readonly kind?: TextKind | 'object' | undefined;
  /** A BCP 47 tag, of which only the primary part counts. */
  readonly language?: string;
  readonly tag?: string;
  readonly author?: string;
  readonly updatedSince?: Date | undefined;
}

/** Tells which texts a filter leaves, on any site. */
export function filterOf({ kind, language = '', tag = '', author = '', updatedSince }: SearchFilter) {
  const primary = primaryLanguage(language);
  const names = nameWords(author);
  return (facts: Facts) =>
    (kind === undefined || (kind === 'object' ? facts.kind !== 'article' : facts.kind === kind)) &&
    (primary === '' || facts.language === primary) &&
    (tag === '' || facts.tags.includes(tag)) &&
    (updatedSince === undefined || facts.updatedAt >= updatedSince) &&
    names.every((name) => facts.names.includes(name));
}

/** The words of a name, as filters compare them: in any case and without accents. A name of signs is one word. */
export function nameWords(name: string): readonly string[] {
  const plain = fold(name.normalize('NFKC').toLowerCase());
  return plain.match(/[\p{L}\p{N}\p{M}]+/gu) ?? plain.match(/\S+/g) ?? [];
}

/** How many texts have each value of a field, the most frequent first. */
export interface Facet {
  readonly field: string;
  readonly values: readonly { readonly value: string; readonly count: number }[];
}

/** How many values of a field a search tells at most. */
export const maxValues = 20;

const valuesOf: Readonly<Record<string, (facts: Facts) => readonly string[]>> = {
  // Texts of unknown language have an empty one.
  language: ({ language }) => (language === '' ? [] : [language]),
  tag: ({ tags }) => tags,
  kind: ({ kind }) => [kind],
};

/** Counts the values of texts. Values have numbers, since counting thousands of words would cost most of a search. */
export function createFacets() {
  const values: { readonly field: string; readonly value: string }[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (field: string, value: string) => {
    const key = `${field} ${value}`;
    const number = numbers.get(key) ?? values.push({ field, value }) - 1;
    numbers.set(key, number);
    return number;
  };
  return {
    /** The numbers of the values that a text has. */
    of: (facts: Facts) =>
      Object.entries(valuesOf).flatMap(([field, valuesIn]) => valuesIn(facts).map((value) => numberOf(field, value))),

    count(texts: readonly (readonly number[])[]): Facet[] {
      const counts = new Uint32Array(values.length);
      for (const text of texts) for (const number of text) counts[number] = (counts[number] ?? 0) + 1;
      const counted = values
        .map((each, number) => ({ ...each, count: counts[number] ?? 0 }))
        .filter(({ count }) => count > 0)
        .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));
      return Object.keys(valuesOf).map((field) => {
        const own = counted.filter((each) => each.field === field).slice(0, maxValues);
        return { field, values: own.map(({ value, count }) => ({ value, count })) };
      });
    },
  };
}
