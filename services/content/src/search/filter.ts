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

const facetFields = ['language', 'tag', 'kind'];

/** Counts the values of texts. Values have numbers, since counting thousands of words would cost most of a search. */
export function createFacets() {
  /** By field and value, such as `tag sso`. */
  const numbers = new Map<string, number>();
  return {
    /** The numbers of the values that a text has. */
    of({ language, tags, kind }: Facts) {
      // Texts of unknown language have an empty one.
      const languages = language === '' ? [] : [`language ${language}`];
      const values = [...languages, ...tags.map((tag) => `tag ${tag}`), `kind ${kind}`];
      return values.map((value) => {
        const number = numbers.get(value) ?? numbers.size;
        numbers.set(value, number);
        return number;
      });
    },

    count(texts: readonly (readonly number[])[]): Facet[] {
      const counts = new Uint32Array(numbers.size);
      for (const text of texts) for (const number of text) counts[number] = (counts[number] ?? 0) + 1;
      const counted = Array.from(numbers, ([value, number]) => ({ value, count: counts[number] ?? 0 }))
        .filter(({ count }) => count > 0)
        .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));
      return facetFields.map((field) => {
        const own = counted.filter(({ value }) => value.startsWith(`${field} `)).slice(0, maxValues);
        return { field, values: own.map(({ value, count }) => ({ value: value.slice(field.length + 1), count })) };
      });
    },
  };
}
