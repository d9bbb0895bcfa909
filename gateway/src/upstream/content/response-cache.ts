import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import type { ChangeStream } from './change-stream.js';
import type { ArticlePlace } from './content-reader.js';

/** A response that can be cached: bytes that are ready to send, or "not found". */
export interface CacheableResponse {
  /** The bytes of the body; undefined if the article or object does not exist. */
  readonly body: Buffer | undefined;
  /** Where the article is, if `body` is undefined and the other site has an article of this name. */
  readonly elsewhere?: ArticlePlace;
  /** The strong ETag of the body, with its quotes. */
  readonly etag: string;
  /** The response is outdated when one of these dependencies changes. */
  readonly dependencies: readonly string[];
  /** The value of the `Link` header, if the response has one. */
  readonly links?: string;
  /** Of a search: the keys of the texts that fit, for the counts of searches. */
  readonly found?: readonly string[];
  /** The key under which the response is cached. The cache sets it. */
  readonly key?: string;
}

/** Identifies a cached response with a particular body. */
export interface CacheReference {
  readonly key: string;
  readonly etag: string;
}

interface CachedResponse extends CacheableResponse {
  readonly key: string;
  /** The number of the newest change after which this response was still up to date. */
  rightUpToChange: number;
  /** The time (`performance.now()`) at which content was queried for this response. */
  readonly requestedAt: number;
}

/**
 * How long a cached response may be sent without new proof from the change stream, in milliseconds. Withdrawn texts
 * must disappear within 100 ms, even if content stops responding (gateway/PROTOCOL.md#withdrawal).
 */
export const freshnessWindowMs = 90;

/** How long a caller waits for the next pong before the response is fetched again, in milliseconds. */
const pongPatienceMs = 60;

/** The approximate memory of a cached response besides its body, in bytes. */
const overheadBytes = 500;

/** Caches responses in memory. A change in the change stream makes responses that depend on it outdated. */
export class ResponseCache {
  hits = 0;
  misses = 0;
  private readonly cached: LRUCache<string, CachedResponse>;
  private readonly fills = new Map<string, { requestedAt: number; response: Promise<CacheableResponse> }>();
  private readonly changedAt = new Map<string, number>();
  private changes = 0;
  private clearedAt = 0;

  constructor(
    private readonly changeStream: ChangeStream,
    maxBytes: number,
  ) {
    this.cached = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (response, key) => (response.body?.length ?? 0) + key.length + overheadBytes,
    });
  }

  /** Returns the cached response if it is up to date. Otherwise calls `fill` and caches its response. */
  get(key: string, fill: () => Promise<CacheableResponse>): CacheableResponse | Promise<CacheableResponse> {
    this.changeStream.noteReader();
    const cached = this.cached.get(key);
    if (cached === undefined || !this.isRight(cached)) return this.fill(key, fill);
    if (!this.isFresh(cached)) return this.getAfterPong(key, fill);
    this.hits += 1;
    return cached;
  }

  /** Returns the referenced response if it is still cached and up to date. */
  proven({ key, etag }: CacheReference): CacheableResponse | undefined {
    const cached = this.cached.get(key);
    if (cached?.etag !== etag || !this.isRight(cached) || !this.isFresh(cached)) return undefined;
    this.changeStream.noteReader();
    this.hits += 1;
    return cached;
  }

  /** Makes all responses outdated that depend on one of these dependencies. */
  invalidate(dependencies: readonly string[]): void {
    this.changes += 1;
    for (const each of dependencies) this.changedAt.set(each, this.changes);
    if (this.changedAt.size > maxDependencies) this.clear();
  }

  clear(): void {
    this.changes += 1;
    this.clearedAt = this.changes;
    this.changedAt.clear();
    this.cached.clear();
  }

  // The freshness window just ended. Waiting for the next pong, which renews the whole cache, is cheaper than a fetch.
  private async getAfterPong(key: string, fill: () => Promise<CacheableResponse>) {
    if (await this.changeStream.nextPong(pongPatienceMs)) {
      const cached = this.cached.get(key);
      if (cached !== undefined && this.isRight(cached) && this.isFresh(cached)) {
        this.hits += 1;
        return cached;
      }
    }
    return this.fill(key, fill);
  }

  private fill(key: string, fill: () => Promise<CacheableResponse>) {
    const running = this.fills.get(key);
    const requestedAt = performance.now();
    if (running !== undefined && requestedAt - running.requestedAt <= freshnessWindowMs) return running.response;
    this.misses += 1;
    const response = this.fetch(key, requestedAt, fill);
    const entry = { requestedAt, response };
    this.fills.set(key, entry);
    const done = () => {
      if (this.fills.get(key) === entry) this.fills.delete(key);
    };
    response.then(done, done);
    return response;
  }

  private async fetch(
    key: string,
    requestedAt: number,
    fill: () => Promise<CacheableResponse>,
  ): Promise<CacheableResponse> {
    const rightUpToChange = this.changes;
    const filled = await fill();
    const cached: CachedResponse = { ...filled, key, rightUpToChange, requestedAt };
    // If a dependency changed during the fetch, the response may be older than that change and is not cached.
    if (this.isRight(cached)) this.cached.set(key, cached);
    return cached;
  }

  private isFresh(cached: CachedResponse) {
    const now = performance.now();
    return now - this.changeStream.provenUntil <= freshnessWindowMs || now - cached.requestedAt <= freshnessWindowMs;
  }

  private isRight(cached: CachedResponse) {
    if (cached.rightUpToChange === this.changes) return true;
    if (cached.rightUpToChange < this.clearedAt) return false;
    for (const each of cached.dependencies) {
      if ((this.changedAt.get(each) ?? 0) > cached.rightUpToChange) return false;
    }
    cached.rightUpToChange = this.changes;
    return true;
  }
}

const maxDependencies = 200_000;
