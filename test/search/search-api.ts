import type { Hit } from './measures.js';
import type { Query, SampleDocument } from './queries.js';

/** The hits that count, and some more. */
const hitsPerSearch = 20;

interface SearchBody {
  readonly ok: boolean;
  readonly entries?: readonly { readonly slug?: string; readonly id?: string; readonly weak: boolean }[];
}

/** Sends one query to the JSON API. Nothing else here knows the paths. */
export async function search(
  base: string,
  { query, site }: Pick<Query, 'query' | 'site'>,
  names: ReadonlyMap<string, string>,
): Promise<Hit[]> {
  const url = `${base}/api/v1/search?site=${site}&limit=${hitsPerSearch}&fields=brief&q=${encodeURIComponent(query)}`;
  const response = await fetch(url);
  const { ok, entries = [] } = (await response.json()) as SearchBody;
  if (!ok) throw new Error(`${url} answers ${response.status}.`);
  return entries.map(({ slug, id, weak }) => {
    const key = slug ?? id ?? '';
    return { document: names.get(key) ?? key, weak };
  });
}

/** The names of the sample files by slug or id, for `search`. */
export function namesOf(documents: readonly SampleDocument[]): Map<string, string> {
  return new Map(documents.map(({ key, name }) => [key, name]));
}
