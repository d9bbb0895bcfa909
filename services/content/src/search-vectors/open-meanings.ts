import type { Logger } from '@knowledge/runtime';
import type { Telemetry } from '@knowledge/runtime/telemetry';
import type { ChangeStream } from '../domain/change-stream.js';
import type { Glosses, PublishedTexts } from '../search/index/ports.js';
import type { Meanings } from '../search/ranking/closeness.js';
import { createEmbeddingsEndpoint } from './clients/embeddings-endpoint.js';
import type { EmbeddingsConfig } from './config.js';
import { createMeanings } from './domain/meanings.js';
import { createQueryVectors } from './domain/query-vectors.js';
import { createVectorIndex } from './domain/vector-index.js';
import type { TextVectorCollections } from './store/documents.js';
import { createTextVectorStore } from './store/text-vectors.js';
import { createWriterLease } from './store/writer-lease.js';
import { startVectorFeed } from './workers/vector-feed.js';
import { startVectorWriter } from './workers/vector-writer.js';

export interface OpenMeanings extends Meanings {
  close(): Promise<void>;
}

export interface OpenMeaningsOptions {
  readonly config: EmbeddingsConfig;
  readonly collections: TextVectorCollections;
  readonly texts: PublishedTexts;
  readonly glosses: Glosses;
  readonly changeStream: ChangeStream;
  readonly log: Logger;
  readonly telemetry: Telemetry;
}

/** Opens the search by meaning, with an operator's embeddings endpoint. Undefined if none is configured. */
export function openMeanings({ config, collections, ...parts }: OpenMeaningsOptions): OpenMeanings | undefined {
  const { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: model, EMBEDDINGS_KEY: key } = config;
  if (url === undefined || model === undefined) return undefined;
  const { log, changeStream } = parts;
  const { metrics } = parts.telemetry;
  const asked = metrics.counter({
    name: 'knowledge_search_meanings_total',
    help: 'Searches by whether the vector of the query was there in time',
    labels: ['outcome'],
  });
  const written = metrics.counter({
    name: 'knowledge_text_vectors_written_total',
    help: 'Texts whose vectors were computed, or skipped because the endpoint refused the text',
    labels: ['outcome'],
  });
  const embedder = createEmbeddingsEndpoint({ url, model, key });
  const index = createVectorIndex(config.EMBEDDINGS_MEGABYTES * 1_000_000);
  metrics.read({ name: 'knowledge_text_vectors', help: 'Texts with vectors in memory' }, () => index.size);
  const store = createTextVectorStore(collections, model);
  const queries = createQueryVectors({
    ...{ embedder, log, limitMs: config.EMBEDDINGS_QUERY_MS },
    onOutcome: (outcome) => asked.inc({ outcome }),
  });
  const feed = startVectorFeed({ index, store, changeStream, log });
  const writer = startVectorWriter({
    ...{ ...parts, embedder, store, lease: createWriterLease(collections) },
    onOutcome: (outcome, texts) => written.inc({ outcome }, texts),
  });
  const meanings = createMeanings({ index, queries, read: store.read, isWaiting: () => feed.isWaiting });
  return {
    compare: meanings.compare,
    get isWaiting() {
      return meanings.isWaiting;
    },
    async close() {
      queries.close();
      await Promise.all([feed.close(), writer.close()]);
    },
  };
}
