import { ArticleDraftServiceService } from '@knowledge/proto/knowledge/content/v1/article_drafts';
import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService, PublicationServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { SearchServiceService, SearchWordsServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import { SearchCountServiceService } from '@knowledge/proto/knowledge/content/v1/search_counts';
import type { Closable, Environment } from '@knowledge/runtime';
import { connectGrpc, type GrpcClient } from '@knowledge/runtime/grpc';
import { openAll, openTestDatabase } from '@knowledge/runtime/testing';
import type { Db } from 'mongodb';
import { start } from '../service.js';

/** The whole service on loopback with its own database, and clients for it. */
export interface ServedContent {
  readonly db: Db;
  readonly address: string;
  readonly content: GrpcClient<typeof ContentServiceService>;
  readonly editorial: GrpcClient<typeof EditorialServiceService>;
  readonly articleDrafts: GrpcClient<typeof ArticleDraftServiceService>;
  readonly publication: GrpcClient<typeof PublicationServiceService>;
  readonly searchWords: GrpcClient<typeof SearchWordsServiceService>;
  readonly search: GrpcClient<typeof SearchServiceService>;
  readonly searchCounts: GrpcClient<typeof SearchCountServiceService>;
  close(): Promise<void>;
}

/** The metadata that tests send with every call. */
export const asEditor = { requestId: 'test', actor: 'editor@test' };

/** Starts the service in the same way as `main.ts`. Resolves when the service is ready. */
export async function serveContent(extra: Environment = {}): Promise<ServedContent> {
  return openAll(async (opened) => {
    const mongo = openTestDatabase('content');
    opened.push(mongo);
    return serve(mongo.db, extra, opened);
  });
}

/** Starts another replica of a served content, on the same database. Close it first. */
export async function serveReplica({ db }: Pick<ServedContent, 'db'>, extra: Environment = {}): Promise<ServedContent> {
  return openAll((opened) => serve(db, extra, opened));
}

async function serve(db: Db, extra: Environment, opened: Closable[]) {
  const service = await start({
    GRPC_ADDRESS: '127.0.0.1:0',
    MONGODB_URI: process.env.MONGODB_TEST_URI,
    MONGODB_DATABASE: db.databaseName,
    LOG_LEVEL: 'silent',
    ...extra,
  });
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
  return { db, address: service.address, ...clients };
}
