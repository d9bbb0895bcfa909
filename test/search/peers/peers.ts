import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import lunr from 'lunr';
import MiniSearch from 'minisearch';
import type { Collection, CollectionText } from '../collection.js';
import { bm25 } from './bm25.js';

/** Another search, which ranks the texts of a collection. */
export interface Peer {
  readonly name: string;
  /** For each query the ids of its first hits, best first. */
  readonly hits: readonly (readonly string[])[];
}

const depth = 10;

/** Lets each peer rank the texts, with twice the weight for titles where a peer knows fields. */
export function askPeers({ texts, queries, language }: Collection): Peer[] {
  const asked = queries.map(({ query }) => query);
  const run = (
    name: string,
    open: (texts: readonly CollectionText[]) => (query: string) => readonly string[],
  ): Peer => {
    const search = open(texts);
    return { name, hits: asked.map((query) => search(query).slice(0, depth)) };
  };
  return [
    run('BM25, stems and stop words, k1 1.2', (all) => bm25(all, { k1: 1.2, b: 0.75, language })),
    run('BM25, stems and stop words, k1 1.5', (all) => bm25(all, { k1: 1.5, b: 0.75, language })),
    run('lunr', openLunr),
    run('MiniSearch', openMiniSearch),
    ...askPython(texts, asked),
  ];
}

function openLunr(texts: readonly CollectionText[]): (query: string) => string[] {
  const index = lunr((builder) => {
    builder.ref('id');
    builder.field('title', { boost: 2 });
    builder.field('body');
    for (const text of texts) builder.add(text);
  });
  return (query) => {
    // Signs such as colons would be commands.
    const words = query.match(/[\p{L}\p{N}]+/gu) ?? [];
    return index
      .query((asked) =>
        asked.term(
          words.map((word) => word.toLowerCase()),
          {},
        ),
      )
      .map(({ ref }) => ref);
  };
}

function openMiniSearch(texts: readonly CollectionText[]): (query: string) => string[] {
  const index = new MiniSearch<CollectionText>({ fields: ['title', 'body'], searchOptions: { boost: { title: 2 } } });
  index.addAll(texts);
  return (query) => index.search(query).map(({ id }) => id as string);
}

function askPython(texts: readonly CollectionText[], queries: readonly string[]): Peer[] {
  const script = fileURLToPath(new URL('../../../search/peers/peers.py', import.meta.url));
  const input = JSON.stringify({ texts: texts.map(({ title, body }) => [title, body]), queries });
  const { stdout, status, error } = spawnSync('python3', [script], {
    input,
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (error !== undefined || status !== 0) {
    console.error('Python 3 does not run, so SQLite FTS5 and tantivy are left out.');
    return [];
  }
  return Object.entries(JSON.parse(stdout) as Record<string, number[][]>).map(([name, ranked]) => ({
    name,
    hits: ranked.map((numbers) => numbers.map((at) => texts[at]?.id ?? '')),
  }));
}
