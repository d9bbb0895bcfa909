import type { Hit } from './measures.js';
import { type Query, type SampleDocument, sites } from './queries.js';

/** The hits that count, and some more. */
const hitsPerList = 20;

interface ListBody {
  readonly ok: boolean;
  readonly entries?: readonly { readonly slug?: string; readonly id?: string; readonly weak?: boolean }[];
  readonly ignored_parameters?: readonly string[];
}

/**
 * Sends one query to the JSON API. Nothing else here knows the paths.
 * The API has no search over both sites or both lists, so their results are dealt out in turn.
 */
export async function search(
  base: string,
  { query, site }: Pick<Query, 'query' | 'site'>,
  names: ReadonlyMap<string, string>,
): Promise<Hit[]> {
  const asked = site === 'all' ? sites : [site];
  const paths = ['content', 'objects/catalog'].flatMap((path) => asked.map((each) => `${path}?site=${each}`));
  const lists = await Promise.all(
    paths.map((path) => readList(`${base}/api/v1/${path}&limit=${hitsPerList}&q=${encodeURIComponent(query)}`, names)),
  );
  return inTurn(lists);
}

/** The names of the sample files by slug or id, for `search`. */
export function namesOf(documents: readonly SampleDocument[]): Map<string, string> {
  return new Map(documents.map(({ key, name }) => [key, name]));
}

async function readList(url: string, names: ReadonlyMap<string, string>): Promise<Hit[]> {
  const response = await fetch(url);
  const { ok, entries = [], ignored_parameters: ignored = [] } = (await response.json()) as ListBody;
  if (!ok) throw new Error(`${url} answers ${response.status}.`);
  // A list that does not search ignores q and would give everything.
  if (ignored.includes('q')) return [];
  return entries.map(({ slug, id, weak = false }) => {
    const key = slug ?? id ?? '';
    return { document: names.get(key) ?? key, weak };
  });
}

/** The first of each list, then the second of each, and so on. */
function inTurn(lists: readonly (readonly Hit[])[]): Hit[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}
