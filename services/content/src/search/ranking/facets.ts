import type { IndexedFacts } from '../index/text-index.js';

/** How many texts have each value of a field, the most frequent first. */
export interface Facet {
  readonly field: 'language' | 'tag' | 'kind';
  readonly values: readonly { readonly value: string; readonly count: number }[];
}

const maxValues = 20;

export function countFacets(found: readonly IndexedFacts[]): Facet[] {
  return [
    { field: 'language', values: countValues(found.map(({ language }) => (language === '' ? [] : [language]))) },
    { field: 'tag', values: countValues(found.map(({ tags }) => tags)) },
    { field: 'kind', values: countValues(found.map(({ kind }) => [kind])) },
  ];
}

function countValues(each: readonly (readonly string[])[]): Facet['values'] {
  const counts = new Map<string, number>();
  for (const value of each.flat()) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, maxValues);
}
