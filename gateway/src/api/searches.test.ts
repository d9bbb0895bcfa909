import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import { type SearchRequest, SearchResponse, SearchServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import { createLogger, KnowledgeError } from '@knowledge/runtime';
import { connectGrpc, type GrpcServer, implement, serveGrpc } from '@knowledge/runtime/grpc';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sites } from '../testing/stand-ins.js';
import { ResponseCache } from '../upstream/content/response-cache.js';
import { createSearches, type Searches, type SearchQuery } from './searches.js';

const log = createLogger({ name: 'test', level: 'silent' });
const query: SearchQuery = {
  ...{ site: 'org', q: 'words', kind: '', language: '', tag: '', author: '', limit: 10, isBrief: false, cursor: '' },
};
const context = () => ({ id: 'test', deadline: Date.now() + 5_000 });

let server: GrpcServer;
let asked: SearchRequest[];
let answer: () => SearchResponse;
let searches: Searches;
let close: () => void;

beforeEach(async () => {
  asked = [];
  answer = () => SearchResponse.fromPartial({ total: 0 });
  const handlers = {
    async search(request: SearchRequest) {
      asked.push(request);
      return answer();
    },
  };
  server = await serveGrpc({
    services: [implement(SearchServiceService, handlers)],
    health: [],
    address: '127.0.0.1:0',
    log,
  });
  const client = connectGrpc(SearchServiceService, { address: server.address });
  // Nothing changes here, and every response is proven.
  const changeStream = { provenUntil: Number.POSITIVE_INFINITY, noteReader() {} } as never;
  const cache = new ResponseCache(changeStream, 1_000_000);
  searches = createSearches({ client, sites, cache, onRefused: () => {} });
  close = () => client.close();
});
afterEach(async () => {
  close();
  await server.close();
});

const bodyOf = async (found: ReturnType<Searches['search']>) => JSON.parse(String((await found).body));

it('ask content once for the same search, and again for any other', async () => {
  await searches.search(query, context());
  await searches.search(query, context());
  expect(asked).toHaveLength(1);
  const others: Partial<SearchQuery>[] = [
    { q: 'words ' },
    { site: 'all' },
    { kind: 'story' },
    { language: 'de' },
    { tag: 'words' },
    { author: 'words' },
    { limit: 11 },
    { isBrief: true },
    { passages: 3 },
    { cursor: 'words' },
    { q: 'a","b', tag: '' },
    { q: 'a', tag: 'b' },
  ];
  for (const other of others) await searches.search({ ...query, ...other }, context());
  expect(asked).toHaveLength(1 + others.length);
  expect(asked[2]?.site).toBe(Site.UNSPECIFIED);
});

it('send the first part of a language tag, in lower case', async () => {
  await searches.search({ ...query, language: 'DE-ch' }, context());
  expect(asked[0]?.language).toBe('de');
});

it('find only objects in the catalog, with how well they fit', async () => {
  const value = { id: '28f35209-4064-49ab-8c97-7f49b4919cd9', site: Site.ORG, kind: ObjectKind.STORY };
  answer = () =>
    SearchResponse.fromPartial({
      hits: [{ entry: { $case: 'object', value }, score: 0.12345, weak: true }],
      total: 70,
      nextPageToken: 'more',
    });
  const listed = { site: 'org', kind: undefined, cursor: '', limit: 200, q: 'words' } as const;
  const body = await bodyOf(searches.catalog(listed, context()));
  expect(asked[0]).toMatchObject({ kind: 'object', pageSize: 50 });
  expect(body).toMatchObject({
    total: 70,
    entries: [{ id: value.id, kind: 'story', score: 0.1235, weak: true }],
    next_url: 'https://org.example/api/v1/objects/catalog?site=org&limit=200&q=words&cursor=more',
  });
  await searches.catalog({ ...listed, kind: 'knowledge' }, context());
  expect(asked[1]?.kind).toBe('knowledge');
  const brief = await bodyOf(searches.catalog({ ...listed, brief: true }, context()));
  expect(brief.entries).toEqual([expect.objectContaining({ id: value.id, weak: true })]);
  expect(brief.entries[0]).not.toHaveProperty('score');
  const shorter = await bodyOf(searches.catalog({ ...listed, limit: 60 }, context()));
  expect(shorter.next_url).toContain('limit=60');
});

it('name refused parameters as callers know them', async () => {
  answer = () => {
    throw new KnowledgeError('validation_error', 'query must have 1 to 500 characters; tag must be a tag.');
  };
  await expect(searches.search(query, context())).rejects.toThrow('q: must have 1 to 500 characters; tag: must be');
  answer = () => {
    throw new KnowledgeError('validation_error', 'page_token is not a token of this list.');
  };
  await expect(searches.search(query, context())).rejects.toThrow(/^cursor: does not belong to this listing/);
});
