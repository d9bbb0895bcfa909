import { deadlineIn, deadlineSignal, type Logger } from '@knowledge/runtime';
import type { Telemetry } from '@knowledge/runtime/telemetry';
import type { Change } from './change.js';
import type { ChangeLog, CommittedChanges } from './change-log.js';

/** Who wants to hear of changes. Its methods must not throw. */
export interface ChangeListener {
  /** Called with every change, in the order of positions, none left out or repeated. */
  change(change: Change): void;
  /** The log is not the one that was followed so far: what was heard of it no longer counts. */
  reset(): void;
}

/** The changes of the log as one process hears of them, shared by all of its watchers. */
export interface ChangeStream {
  /** Everything up to here was given to the listeners. */
  readonly position: number;
  /** When it was last certain that everything acknowledged had been heard of, `performance.now()`. */
  readonly upToDateAt: number;
  /** Whether changes arrive by themselves, as soon as they are committed. */
  readonly following: boolean;
  /** Resolves when the listeners have heard of everything that was acknowledged before the call; to the position. */
  sync(): Promise<number>;
  /** As `sync`, but only while the changeStream follows: it waits for that first, as long as it takes. */
  syncWhenFollowing(): Promise<number>;
  /** Gives changes from the present position on. Returns how to end it. */
  subscribe(listener: ChangeListener): () => void;
  close(): Promise<void>;
}

/** What a changeStream needs. */
export interface ChangeStreamDependencies {
  changes: ChangeLog;
  log: Logger;
}

/**
 * Follows a log. What has been heard is proven by positions, not by the tail: a proof reads the log's counter after it was
 * asked for, and what the tail has not brought by then is read from the log. So it holds whatever became of the tail.
 */
export function openChangeStream(deps: ChangeStreamDependencies): ChangeStream {
  return new LogChangeStream(deps);
}

/** Rejects unless the changeStream follows the log and is up to date. */
export async function checkChangeStream(changeStream: ChangeStream): Promise<void> {
  if (!changeStream.following) throw new Error('The change log is not followed.');
  await changeStream.sync();
}

/** Measures for how long nothing has proven that the changeStream is up to date. */
export function measureChangeStream(changeStream: ChangeStream, { metrics }: Telemetry): void {
  metrics.read(
    { name: 'knowledge_change_feed_lag_seconds', help: 'Since when nothing proves that every change was heard of' },
    () => (performance.now() - changeStream.upToDateAt) / 1000,
  );
}

const readLimitMs = 1500;
const batchSize = 500;
// A round of the tail takes a quarter of a second when nothing happens.
const stalledAfterMs = 1000;
const pauseMs = { least: 50, most: 1000 };

class LogChangeStream implements ChangeStream {
  position = 0;
  upToDateAt = performance.now();
  following = false;
  private begun = false;
  private readonly listeners = new Set<ChangeListener>();
  private readonly stop = new AbortController();
  private readonly running: Promise<void>;
  private resumption = deferred();
  private round: Promise<number> | undefined;
  private nextRound: Promise<number> | undefined;

  constructor(private readonly deps: ChangeStreamDependencies) {
    this.running = this.run();
  }

  sync(): Promise<number> {
    if (this.round === undefined) {
      this.round = this.readUp().finally(() => {
        this.round = undefined;
      });
      return this.round;
    }
    // The round under way may have read the counter before this call: the next one serves all who came meanwhile.
    this.nextRound ??= this.round
      .catch(() => undefined)
      .then(() => {
        this.nextRound = undefined;
        return this.sync();
      });
    return this.nextRound;
  }

  async syncWhenFollowing(): Promise<number> {
    if (!this.following) await this.resumption.promise;
    return this.sync();
  }

  subscribe(listener: ChangeListener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.stop.abort();
    await this.running;
    this.resumption.reject(new DOMException('The change stream is closed.', 'AbortError'));
  }

  private async readUp(): Promise<number> {
    const limit = deadlineSignal(deadlineIn(readLimitMs), this.stop.signal);
    const { position } = this;
    const askedAt = performance.now();
    try {
      const head = await this.deps.changes.head(limit.signal);
      if (!this.begun) this.begin(head);
      else if (head < position) this.reset(head);
      else await this.catchUp(head, limit.signal);
      this.upToDateAt = Math.max(this.upToDateAt, askedAt);
      return this.position;
    } finally {
      limit.clear();
    }
  }

  private async catchUp(target: number, signal: AbortSignal): Promise<void> {
    while (this.position < target) {
      const missed = await this.deps.changes.after(this.position, batchSize, signal);
      if (missed.length === 0 && this.position < target) throw new Error('The change log ends before its counter.');
      for (const change of missed) this.apply(change);
    }
  }

  private apply(change: Change): void {
    if (change.position <= this.position) return;
    if (change.position > this.position + 1) {
      this.deps.log.error({ after: this.position, next: change.position }, 'the change log has a hole');
      this.reset(change.position);
      return;
    }
    this.position = change.position;
    for (const listener of this.listeners) listener.change(change);
  }

  private begin(position: number): void {
    this.begun = true;
    this.position = position;
  }

  private reset(position: number): void {
    this.deps.log.warn({ was: this.position, is: position }, 'the change log is another one');
    this.position = position;
    for (const listener of this.listeners) listener.reset();
  }

  private async run(): Promise<void> {
    let pause = pauseMs.least;
    while (!this.stop.signal.aborted) {
      const tail = this.deps.changes.follow();
      try {
        // A first round proves that the tail is open; what was committed before it is in the log.
        await this.within(tail.next());
        await this.sync();
        this.resume();
        pause = pauseMs.least;
        await this.hear(tail);
      } catch (error) {
        if (!this.stop.signal.aborted) this.suspend(error);
      }
      // Not awaited: with the server gone it takes its time.
      tail.close().catch(() => undefined);
      await this.nap(pause);
      pause = Math.min(pause * 2, pauseMs.most);
    }
    this.following = false;
  }

  private async hear(tail: CommittedChanges): Promise<void> {
    while (!this.stop.signal.aborted) {
      const askedAt = performance.now();
      const change = await this.within(tail.next());
      this.upToDateAt = askedAt;
      if (change === undefined) continue;
      if (change.position > this.position + 1) await this.sync();
      else this.apply(change);
    }
  }

  private resume(): void {
    if (this.stop.signal.aborted) return;
    this.following = true;
    this.resumption.resolve();
    this.deps.log.info({ position: this.position }, 'following the change log');
  }

  private suspend(error: unknown): void {
    if (!this.following) return;
    this.following = false;
    this.resumption = deferred();
    this.deps.log.warn({ err: error, position: this.position }, 'lost the tail of the change log; opening another');
  }

  private within<T>(promise: Promise<T>): Promise<T> {
    const limit = deadlineSignal(deadlineIn(stalledAfterMs), this.stop.signal);
    return new Promise<T>((resolve, reject) => {
      limit.signal.addEventListener('abort', () => reject(limit.signal.reason as Error), { once: true });
      if (limit.signal.aborted) reject(limit.signal.reason as Error);
      promise.then(resolve, reject);
    }).finally(() => limit.clear());
  }

  private nap(ms: number): Promise<void> {
    const limit = deadlineSignal(deadlineIn(ms), this.stop.signal);
    return new Promise((resolve) => {
      limit.signal.addEventListener('abort', () => resolve(), { once: true });
      if (limit.signal.aborted) resolve();
    });
  }
}

interface Deferred {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(reason: unknown): void;
}

function deferred(): Deferred {
  let settle: Pick<Deferred, 'resolve' | 'reject'> = { resolve: () => undefined, reject: () => undefined };
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  promise.catch(() => undefined);
  return { promise, ...settle };
}
