import type { Facts } from './filter.js';

/** How many texts have each value of a field, the most frequent first. */
export interface Facet {
  readonly field: (typeof facetFields)[number];
  readonly values: readonly { readonly value: string; readonly count: number }[];
}

export const facetFields = ['language', 'tag', 'kind'] as const;

/** How many values of a field a search tells at most. */
export const maxValues = 20;

/** Counts the values of texts. */
export function countFacets(texts: readonly { readonly facts: Facts }[]): Facet[] {
  const counts = {
    language: new Map<string, number>(),
    tag: new Map<string, number>(),
    kind: new Map<string, number>(),
  };
  const count = (field: Facet['field'], value: string): void => {
    if (value !== '') counts[field].set(value, (counts[field].get(value) ?? 0) + 1);
  };
  for (const { facts } of texts) {
    count('language', facts.language);
    count('kind', facts.kind);
    for (const tag of facts.tags) count('tag', tag);
  }
  return facetFields.map((field) => ({
    field,
    values: Array.from(counts[field], ([value, number]) => ({ value, count: number }))
      .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
      .slice(0, maxValues),
  }));
}
