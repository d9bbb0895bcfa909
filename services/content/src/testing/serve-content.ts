import type { ClientDuplexStream } from '@grpc/grpc-js';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ArticleDraftServiceService } from '@knowledge/proto/knowledge/content/v1/article_drafts';
import {
  type Change,
  ContentServiceService,
  type WatchChangesRequest,
  type WatchChangesResponse,
} from '@knowledge/proto/knowledge/content/v1/content';
import {
  EditorialServiceService,
  PublicationServiceService,
  type PutArticleRequest,
} from '@knowledge/proto/knowledge/content/v1/editorial';
import {
  SearchRequest,
  SearchServiceService,
  SearchWordsServiceService,
} from '@knowledge/proto/knowledge/content/v1/search';
import { SearchCountServiceService } from '@knowledge/proto/knowledge/content/v1/search_counts';
import type { Closable, Environment } from '@knowledge/runtime';
import { connectGrpc } from '@knowledge/runtime/grpc';
import { openAll, openTestDatabase, quietEnvironment } from '@knowledge/runtime/testing';
import type { Db } from 'mongodb';
import { start } from '../service.js';
import { articlePut } from './put.js';

/** The whole service on loopback with its own database, and clients for it. */
export type ServedContent = Awaited<ReturnType<typeof serveContent>>;

/** Names an article on org for a change of its state. */
export const moved = (slug: string, expectedRevision = 0, reason = '') => ({
  ...{ site: Site.ORG, slug, expectedRevision, reason },
});

/** The metadata that tests send with every call. */
export const asEditor = { requestId: 'test', actor: 'editor@test' };

/** Starts the service in the same way as `main.ts`. Resolves when the service is ready. */
export async function serveContent(extra: Environment = {}) {
  return openAll(async (opened) => {
    const mongo = openTestDatabase('content');
    opened.push(mongo);
    return serve(mongo.db, extra, opened);
  });
}

/** Starts another replica of a served content, on the same database. Close it first. */
export async function serveReplica({ db }: { db: Db }, extra: Environment = {}): Promise<ServedContent> {
  return openAll((opened) => serve(db, extra, opened));
}

async function serve(db: Db, extra: Environment, opened: Closable[]) {
  const service = await start({ ...quietEnvironment(db), ...extra });
  opened.push(service);
  const options = { address: service.address, callerName: 'test', deadlineMs: 10_000 };
  const content = connectGrpc(ContentServiceService, options);
  const editorial = connectGrpc(EditorialServiceService, options);
  const articleDrafts = connectGrpc(ArticleDraftServiceService, options);
  const publication = connectGrpc(PublicationServiceService, options);
  const search = connectGrpc(SearchServiceService, options);
  const searchWords = connectGrpc(SearchWordsServiceService, options);
  const searchCounts = connectGrpc(SearchCountServiceService, options);
  opened.push(content, editorial, articleDrafts, publication, search, searchWords, searchCounts);
  await service.ready;
  const clients = { content, editorial, articleDrafts, publication, search, searchWords, searchCounts };
  return {
    ...{ db, address: service.address, ...clients },
    /** Puts an article on org. */
    put: (slug: string, part: Partial<PutArticleRequest> = {}) =>
      editorial.putArticle(articlePut({ slug, ...part }), asEditor),
    /** What editors see of an article on org. */
    record: async (slug: string) => (await editorial.getArticleRecord({ site: Site.ORG, slug }, asEditor)).article,
    /** What readers get for articles on org. */
    async read(...slugs: string[]) {
      const items = slugs.map((slug) => ({ site: Site.ORG, slug, context: undefined }));
      return (await content.getArticles({ items }, asEditor)).results.map(({ outcome }) => outcome);
    },
    /** The number of texts on org that a search finds. */
    found: async (query: string) =>
      (await search.search(SearchRequest.fromPartial({ site: Site.ORG, query }), asEditor)).total,
  };
}

/** A client of WatchChanges that records the changes, in place of a gateway's cache. */
interface Watcher {
  readonly call: ClientDuplexStream<WatchChangesRequest, WatchChangesResponse>;
  /** The changes in the order of arrival. */
  readonly changes: Change[];
  /** The last cursor. Another watch can resume there. */
  cursor(): string;
  /** The position of `started`. */
  readonly started: Promise<number>;
  /** Sends a ping. Resolves to the position of the pong. */
  ping(): Promise<number>;
  /** Resolves when the stream has ended, with the error if there was one. */
  readonly over: Promise<Error | undefined>;
}

/** Opens a watch on the service. */
export function openWatcher(
  { content }: ServedContent,
  afterPosition = 0,
  afterCursor?: string,
  withSynonyms = false,
): Watcher {
  const call = content.watchChanges({ requestId: 'watch' });
  const changes: Change[] = [];
  const pongs = new Map<number, (position: number) => void>();
  let cursor = '';
  let begun: (position: number) => void = () => undefined;
  const started = new Promise<number>((resolve) => (begun = resolve));
  call.on('data', ({ message }: WatchChangesResponse) => {
    if (message?.$case === 'started' || message?.$case === 'change') cursor = message.value.cursor ?? '';
    if (message?.$case === 'started') begun(message.value.position);
    if (message?.$case === 'change') changes.push(message.value);
    if (message?.$case === 'pong') pongs.get(Number(message.value.nonce))?.(message.value.position);
  });
  const over = new Promise<Error | undefined>((resolve) => {
    call.on('error', resolve);
    call.on('end', () => resolve(undefined));
  });
  call.write({
    message: { $case: 'start', value: { afterPosition: String(afterPosition), afterCursor, withSynonyms } },
  });
  let nonce = 0;
  return {
    call,
    changes,
    cursor: () => cursor,
    started,
    over,
    ping() {
      nonce += 1;
      const mine = nonce;
      call.write({ message: { $case: 'ping', value: { nonce: String(mine) } } });
      return new Promise((resolve) => pongs.set(mine, resolve));
    },
  };
}
