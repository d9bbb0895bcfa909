import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService, PutArticleRequest } from '@knowledge/proto/knowledge/content/v1/editorial';
import { SearchRequest, type SearchResponse, SearchServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import { connectGrpc } from '@knowledge/runtime/grpc';
import { dropDatabases } from '@knowledge/runtime/testing';
import { freePort } from '../harness/free-port.js';
import { type ManagedProcess, startProcess } from '../harness/managed-process.js';
import { asTester, serving } from '../harness/system.js';

/** A process of content that searches in a cluster, with what tests ask of it. */
export interface ContentProcess {
  readonly process: ManagedProcess;
  readonly editorial: ReturnType<typeof connectEditorial>;
  readonly content: ReturnType<typeof connectContent>;
  put(slug: string, part?: Partial<PutArticleRequest>): Promise<void>;
  archive(slug: string): Promise<void>;
  search(query: string, part?: Partial<SearchRequest>, signal?: AbortSignal): Promise<SearchResponse>;
  /** The slugs of the articles that a search finds. */
  find(query: string): Promise<string[]>;
  close(): Promise<void>;
}

export interface ContentOptions {
  /** The value of `SEARCH_URL`. */
  readonly url: string;
  readonly database: string;
  readonly index: string;
}

/** Names a database and an index of their own. */
export function newPlaces(): Pick<ContentOptions, 'database' | 'index'> {
  const name = randomBytes(4).toString('hex');
  return { database: `test_content_${name}`, index: `test-${name}` };
}

const main = fileURLToPath(new URL('../../services/content/bundle/main.js', import.meta.url));

function environmentOf({ url, database, index }: ContentOptions) {
  const MONGODB_URI = process.env['MONGODB_TEST_URI'] ?? '';
  return { MONGODB_URI, MONGODB_DATABASE: database, SEARCH_URL: url, SEARCH_INDEX: index };
}

/** Runs the command with which operators let the index be filled again. */
export async function refillSearch(options: ContentOptions): Promise<void> {
  await promisify(execFile)(process.execPath, [main, 'refill-search'], { env: environmentOf(options) });
}

export async function startContent(options: ContentOptions): Promise<ContentProcess> {
  const address = `127.0.0.1:${await freePort()}`;
  const content = await startProcess({
    name: 'content',
    command: [process.execPath, main],
    env: { ...environmentOf(options), GRPC_ADDRESS: address },
    ready: () => serving(address, undefined),
  });
  const clients = { editorial: connectEditorial(address), content: connectContent(address) };
  const searches = connectGrpc(SearchServiceService, { address, deadlineMs: 5_000 });
  const search = (query: string, part: Partial<SearchRequest> = {}, signal?: AbortSignal) =>
    searches.search(SearchRequest.fromPartial({ site: Site.ORG, query, pageSize: 50, ...part }), {
      requestId: 'test',
      ...(signal && { signal }),
    });
  return {
    process: content,
    ...clients,
    search,
    async put(slug, part = {}) {
      const article = {
        ...{ site: Site.ORG, slug, title: slug, author: 'Ann', body: 'Nothing.', publish: true },
        ...part,
      };
      await clients.editorial.putArticle(PutArticleRequest.fromPartial({ tags: ['t'], ...article }), asTester());
    },
    async archive(slug) {
      await clients.editorial.archiveArticle({ site: Site.ORG, slug, expectedRevision: 0, reason: '' }, asTester());
    },
    async find(query) {
      const { hits } = await search(query);
      return hits.map(({ entry }) => (entry?.$case === 'article' ? entry.value.slug : '')).sort();
    },
    async close() {
      for (const client of [clients.editorial, clients.content, searches]) client.close();
      await content.close();
    },
  };
}

function connectEditorial(address: string) {
  return connectGrpc(EditorialServiceService, { address, deadlineMs: 5_000 });
}

function connectContent(address: string) {
  return connectGrpc(ContentServiceService, { address, deadlineMs: 5_000 });
}

export function dropDatabase(database: string): Promise<void> {
  return dropDatabases([database]);
}
