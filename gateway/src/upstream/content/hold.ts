import { performance } from 'node:perf_hooks';
import { LRUCache } from 'lru-cache';
import type { Feed } from './feed.js';

/** An answer that is ready to send, or the knowledge that there is none. */
export interface Rendered {
  /** The bytes of the body; undefined where the thing does not exist. */
  readonly body: Buffer | undefined;
  /** The strong ETag of the bytes, quoted. */
  readonly etag: string;
  /** What it depends on: a change of any of these makes it untrue. */
  readonly topics: readonly string[];
  /** The value of its `Link` header, where it has one. */
  readonly links?: string;
  /** Under which name it is held; the hold sets it. */
  readonly key?: string;
}

/** What finds an answer again that was held. */
export interface HeldName {
  readonly key: string;
  readonly etag: string;
}

/** Answers held in memory and kept right by the feed of changes. */
export interface Hold {
  /** The held answer if it is proven to be right, else what `fill` gives, which is then held. */
  get(key: string, fill: () => Promise<Rendered>): Rendered | Promise<Rendered>;
  /** The answer that `get` gave, if these bytes are still held and proven to be right. */
  proven(name: HeldName): Rendered | undefined;
  /** Makes untrue what depends on a topic. */
  invalidate(topics: readonly string[]): void;
  /** Forgets everything. */
  clear(): void;
  readonly hits: number;
  readonly misses: number;
}

interface Held extends Rendered {
  readonly key: string;
  /** The count of changes that it is known to be right for. */
  asOf: number;
  /** When it was asked, `performance.now()`. */
  readonly askedAt: number;
}

/**
 * How old the knowledge behind an answer may be, in milliseconds: less than the 100 of gateway/PROTOCOL.md#withdrawal,
 * so that what is withdrawn is gone in time even if nothing is ever heard from the content service again.
 */
export const leaseMs = 90;

/** How long a reader waits for a pong that is under way before the content service is asked for the thing itself. */
const pongPatienceMs = 60;

/** What a held answer takes besides its body, in bytes. */
const overheadBytes = 500;

/** Makes a hold of at most `maxBytes`. */
export function createHold(feed: Feed, maxBytes: number): Hold {
  return new FeedHold(feed, maxBytes);
}

class FeedHold implements Hold {
  hits = 0;
  misses = 0;
  private readonly held: LRUCache<string, Held>;
  private readonly filling = new Map<string, { askedAt: number; answer: Promise<Rendered> }>();
  private readonly changedAt = new Map<string, number>();
  private changes = 0;
  private clearedAt = 0;

  constructor(
    private readonly feed: Feed,
    maxBytes: number,
  ) {
    this.held = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (held, key) => (held.body?.length ?? 0) + key.length + overheadBytes,
    });
  }

  get(key: string, fill: () => Promise<Rendered>): Rendered | Promise<Rendered> {
    this.feed.touch();
    const held = this.held.get(key);
    if (held === undefined || !this.isRight(held)) return this.fill(key, fill);
    if (!this.isFresh(held)) return this.getLate(key, fill);
    this.hits += 1;
    return held;
  }

  proven({ key, etag }: HeldName): Rendered | undefined {
    const held = this.held.get(key);
    if (held?.etag !== etag || !this.isRight(held) || !this.isFresh(held)) return undefined;
    this.feed.touch();
    this.hits += 1;
    return held;
  }

  invalidate(topics: readonly string[]): void {
    this.changes += 1;
    for (const topic of topics) this.changedAt.set(topic, this.changes);
    if (this.changedAt.size > maxTopics) this.clear();
  }

  clear(): void {
    this.changes += 1;
    this.clearedAt = this.changes;
    this.changedAt.clear();
    this.held.clear();
  }

  // The lease has lapsed, under load by a little: a pong under way proves much more, for less, than asking again.
  private async getLate(key: string, fill: () => Promise<Rendered>): Promise<Rendered> {
    if (await this.feed.nextPong(pongPatienceMs)) {
      const held = this.held.get(key);
      if (held !== undefined && this.isRight(held) && this.isFresh(held)) {
        this.hits += 1;
        return held;
      }
    }
    return this.fill(key, fill);
  }

  private fill(key: string, fill: () => Promise<Rendered>): Promise<Rendered> {
    const running = this.filling.get(key);
    const askedAt = performance.now();
    if (running !== undefined && askedAt - running.askedAt <= leaseMs) return running.answer;
    this.misses += 1;
    const answer = this.ask(key, askedAt, fill);
    const entry = { askedAt, answer };
    this.filling.set(key, entry);
    const done = (): void => {
      if (this.filling.get(key) === entry) this.filling.delete(key);
    };
    answer.then(done, done);
    return answer;
  }

  private async ask(key: string, askedAt: number, fill: () => Promise<Rendered>): Promise<Rendered> {
    const asOf = this.changes;
    const rendered = await fill();
    const held: Held = { ...rendered, key, asOf, askedAt };
    // Something it depends on changed while it was filled: the answer may be from before, so it is not held.
    if (this.isRight(held)) this.held.set(key, held);
    return held;
  }

  private isFresh(held: Held): boolean {
    const now = performance.now();
    return now - this.feed.knownUntil <= leaseMs || now - held.askedAt <= leaseMs;
  }

  private isRight(held: Held): boolean {
    if (held.asOf === this.changes) return true;
    if (held.asOf < this.clearedAt) return false;
    for (const topic of held.topics) {
      if ((this.changedAt.get(topic) ?? 0) > held.asOf) return false;
    }
    held.asOf = this.changes;
    return true;
  }
}

const maxTopics = 200_000;
