import type { Facts } from './filter.js';

/** How many texts have each value of a field, the most frequent first. */
export interface Facet {
  readonly field: (typeof facetFields)[number];
  readonly values: readonly { readonly value: string; readonly count: number }[];
}

export const facetFields = ['language', 'tag', 'kind'] as const;

/** How many values of a field a search tells at most. */
export const maxValues = 20;

const valuesOf: Readonly<Record<Facet['field'], (facts: Facts) => readonly string[]>> = {
  // Texts of unknown language have an empty one.
  language: ({ language }) => (language === '' ? [] : [language]),
  tag: ({ tags }) => tags,
  kind: ({ kind }) => [kind],
};

/** Counts the values of texts. */
export function countFacets(texts: readonly { readonly facts: Facts }[]): Facet[] {
  return facetFields.map((field) => {
    const counts = new Map<string, number>();
    for (const { facts } of texts)
      for (const value of valuesOf[field](facts)) counts.set(value, (counts.get(value) ?? 0) + 1);
    const values = Array.from(counts, ([value, count]) => ({ value, count }));
    values.sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));
    return { field, values: values.slice(0, maxValues) };
  });
}
