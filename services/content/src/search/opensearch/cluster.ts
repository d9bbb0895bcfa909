import { KnowledgeError } from '@knowledge/runtime';
import type { Client } from '@opensearch-project/opensearch';
import type { TransportRequestOptions, TransportRequestParams } from '@opensearch-project/opensearch/lib/Transport.js';
import type { TextKey } from '../texts/search-text.js';

/** Where an OpenSearch cluster is, and who searches in it. */
export interface ClusterOptions {
  /** The URLs of its nodes, or of what stands before them. One that does not answer is left out for a while. */
  readonly nodes: readonly string[];
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** The PEM certificates of the authorities of the cluster; undefined for those that Node knows. */
  readonly ca: string | undefined;
  /** The name of the index. */
  readonly index: string;
}

/** What a cluster answers. It has the parts that the request asks for. */
export interface ClusterResponse {
  hits: {
    total: { value: number };
    hits: { _id: TextKey; _score: number; _source: { sequence: string } }[];
  };
  aggregations: Record<string, { buckets: { key: string; doc_count: number }[] }>;
  suggest: Record<string, { options: { text: string; freq: number }[] }[]>;
  term_vectors: { whole?: { field_statistics: { doc_count: number }; terms: Record<string, { doc_freq?: number }> } };
  items: { index: { status: number; error?: unknown } }[];
  version: { number: string };
  _source?: { position?: number; languages?: string[]; by?: string; until?: number };
}

/** Sends a request. Any failure is an outage. */
export type Cluster = ReturnType<typeof connectCluster>;

/** Longer than a search may take: the time limit of its caller ends it before. */
const requestTimeout = 2_000;

/** Connects to a cluster at the first request. Until then nothing of its client is loaded. */
export function connectCluster({ nodes, username = '', password = '', ca }: ClusterOptions) {
  const auth = username === '' ? {} : { auth: { username, password } };
  const options = { nodes: [...nodes], ...auth, ...(ca && { ssl: { ca } }), maxRetries: 1, requestTimeout };
  let client: Promise<Client> | undefined;
  return async (params: TransportRequestParams, signal: AbortSignal, how?: TransportRequestOptions) => {
    client ??= import('@opensearch-project/opensearch').then(({ Client }) => new Client(options));
    const { transport } = await client;
    signal.throwIfAborted();
    const request = transport.request(params, how);
    // The cluster ends a search whose connection is closed. Node would throw the rejection of a request that a listener returns.
    const abort = () => void request.abort();
    signal.addEventListener('abort', abort, { once: true });
    try {
      return (await request).body as ClusterResponse;
    } catch (error) {
      signal.throwIfAborted();
      throw outage(error);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  };
}

export function outage(cause: unknown) {
  return new KnowledgeError('unavailable', 'The search does not answer; try again.', { cause, retryAfterSeconds: 1 });
}
