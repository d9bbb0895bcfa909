import type { IndexedFacts } from '../index/text-index.js';

/** How many texts have each value of a field, the most frequent first. */
export interface Facet {
  readonly field: 'language' | 'tag' | 'kind';
  readonly values: readonly { readonly value: string; readonly count: number }[];
}

const maxValues = 20;

export function countFacets(found: readonly IndexedFacts[]): Facet[] {
  const languages = new Map<string, number>();
  const tags = new Map<string, number>();
  const kinds = new Map<string, number>();
  for (const facts of found) {
    if (facts.language !== '') count(languages, facts.language);
    for (const tag of facts.tags) count(tags, tag);
    count(kinds, facts.kind);
  }
  return [
    { field: 'language', values: mostFrequent(languages) },
    { field: 'tag', values: mostFrequent(tags) },
    { field: 'kind', values: mostFrequent(kinds) },
  ];
}

function count(counts: Map<string, number>, value: string): void {
  counts.set(value, (counts.get(value) ?? 0) + 1);
}

function mostFrequent(counts: ReadonlyMap<string, number>): Facet['values'] {
  return [...counts]
    .map(([value, number]) => ({ value, count: number }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, maxValues);
}
