import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

export interface CollectionText {
  readonly id: string;
  readonly title: string;
  readonly body: string;
  /** A primary tag. */
  readonly language: string;
}

/** A query with its helpful texts by their ids; none if no text answers it. */
export interface CollectionQuery {
  readonly query: string;
  readonly grades: Readonly<Record<string, number>>;
}

/** Texts and judged queries of others. */
export interface Collection {
  readonly texts: readonly CollectionText[];
  readonly queries: readonly CollectionQuery[];
  /** The language of most texts. */
  readonly language: string;
}

/** The most characters that a question may have. */
const longestQuery = 500;

/** Reads a folder with `*.docs.json.gz`, which is `{id: {title, body, language?}}`, and `*.q.json.gz`, which is `[{q, rel: {id: grade}}]`. */
export function readCollection(folder: string): Collection {
  const documents = readGzip(folder, '.docs.json.gz') as Record<
    string,
    Omit<CollectionText, 'id' | 'language'> & { language?: string }
  >;
  const queries = readGzip(folder, '.q.json.gz') as { readonly q: string; readonly rel: Record<string, number> }[];
  const texts = Object.entries(documents).map(([id, { title, body, language = 'en' }]) => ({
    id,
    title,
    body,
    language,
  }));
  const counts = new Map<string, number>();
  for (const { language } of texts) counts.set(language, (counts.get(language) ?? 0) + 1);
  const [[language] = ['en']] = [...counts].sort(([, one], [, other]) => other - one);
  return {
    texts,
    language,
    queries: queries.map(({ q, rel }) => ({ query: q.slice(0, longestQuery).trim(), grades: rel })),
  };
}

function readGzip(folder: string, ending: string): unknown {
  const name = readdirSync(folder).find((each) => each.endsWith(ending));
  if (name === undefined) throw new Error(`${folder} has no file *${ending}.`);
  return JSON.parse(gunzipSync(readFileSync(join(folder, name))).toString('utf8'));
}
