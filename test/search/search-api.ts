import { until } from '../harness/until.js';
import type { Hit } from './measures.js';
import type { Query, SampleDocument } from './queries.js';

/** The hits that count, and some more. */
const hitsPerSearch = 20;

interface SearchBody {
  readonly entries?: readonly { readonly slug?: string; readonly id?: string; readonly weak: boolean }[];
}

/** Sends one query to the JSON API. Nothing else here knows the paths. */
export async function search(
  base: string,
  { query, site }: Pick<Query, 'query' | 'site'>,
  names: ReadonlyMap<string, string>,
): Promise<Hit[]> {
  const url = `${base}/api/v1/search?site=${site}&limit=${hitsPerSearch}&fields=brief&q=${encodeURIComponent(query)}`;
  const entries = await until(`an answer to ${url}`, () => ask(url));
  return entries.map(({ slug, id, weak }) => {
    const key = slug ?? id ?? '';
    return { document: names.get(key) ?? key, weak };
  });
}

/** Returns undefined for a refusal of a busy system. */
async function ask(url: string): Promise<SearchBody['entries']> {
  const response = await fetch(url);
  const { entries } = (await response.json()) as SearchBody;
  if (entries === undefined && response.status !== 503) throw new Error(`${url} answers ${response.status}.`);
  return entries;
}

/** The names of the sample files by slug or id, for `search`. */
export function namesOf(documents: readonly SampleDocument[]): Map<string, string> {
  return new Map(documents.map(({ key, name }) => [key, name]));
}
