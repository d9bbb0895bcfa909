import type { FactColumns } from '../index/fact-columns.js';

/** How many texts have each value of a field, the most frequent first. */
export interface Facet {
  readonly field: 'language' | 'tag' | 'kind';
  readonly values: readonly { readonly value: string; readonly count: number }[];
}

const maxValues = 20;

/** Counts the values of texts, which are given in any number of parts. */
export function countFacets(parts: readonly ArrayLike<number>[], facts: FactColumns): Facet[] {
  const languages = new Uint32Array(facts.languages.size);
  const kinds = new Uint32Array(facts.kinds.size);
  const tags = new Uint32Array(facts.tags.size);
  const { language, kind, tagStart, tagCount, tagList } = facts;
  for (const texts of parts) {
    for (let at = 0; at < texts.length; at++) {
      const text = texts[at] ?? 0;
      increment(languages, language[text] ?? 0);
      increment(kinds, kind[text] ?? 0);
      const start = tagStart[text] ?? 0;
      const end = start + (tagCount[text] ?? 0);
      for (let tag = start; tag < end; tag++) increment(tags, tagList[tag] ?? 0);
    }
  }
  return [
    { field: 'language', values: mostFrequent(languages, facts.languages) },
    { field: 'tag', values: mostFrequent(tags, facts.tags) },
    { field: 'kind', values: mostFrequent(kinds, facts.kinds) },
  ];
}

function increment(counts: Uint32Array, code: number): void {
  counts[code] = (counts[code] ?? 0) + 1;
}

function mostFrequent(counts: Uint32Array, codes: { value(code: number): string }): Facet['values'] {
  return [...counts]
    .flatMap((count, code) => (count === 0 || codes.value(code) === '' ? [] : [{ value: codes.value(code), count }]))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, maxValues);
}
