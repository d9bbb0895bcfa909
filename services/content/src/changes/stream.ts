import { deferred, type Logger, orAbort, pause, sharedRounds, within } from '@knowledge/runtime';
import type { Telemetry } from '@knowledge/runtime/telemetry';
import type { Change, ChangeLog, CommittedChanges } from './log.js';

/** Receives changes. These methods must not throw. */
export interface ChangeListener {
  /** Called once for every change. Changes come in the order of their positions, without gaps. */
  change(change: Change): void;
  /** Called when the log was replaced, e.g. by a restored backup. Caches must then drop everything. */
  reset(): void;
}

interface ChangeStreamParts {
  changes: ChangeLog;
  log: Logger;
}

/** Rejects if the change stream does not follow the log or is not up to date. Used as a health check. */
export async function checkChangeStream(changeStream: ChangeStream): Promise<void> {
  if (!changeStream.following) throw new Error('The change log is not followed.');
  await changeStream.sync();
}

/** Measures the time since the change stream was last proven up to date. */
export function measureChangeStream(changeStream: ChangeStream, { metrics }: Telemetry): void {
  metrics.read(
    { name: 'knowledge_change_feed_lag_seconds', help: 'Seconds since it was last proven that no change is missing' },
    () => (performance.now() - changeStream.upToDateAt) / 1000,
  );
}

const readLimitMs = 1500;
const batchSize = 500;
// An idle wait takes a second. After this time the stream is considered broken.
const stalledAfterMs = 2000;
const pauseMs = { least: 50, most: 1000 };

/**
 * Follows the change log once for the whole process and passes its changes to all listeners. Only positions prove that no
 * change is missing: `sync` reads the position counter of the log, and then reads from the log all changes that the stream
 * of commits has not delivered. So it works even if that stream broke.
 */
export class ChangeStream {
  /** The position of the last change that the listeners received. */
  position = 0;
  /** The latest known time when the listeners had every acknowledged change, by `performance.now()`. */
  upToDateAt = performance.now();
  /** Whether the stream of commits is open. Then changes arrive as soon as they are committed. */
  following = false;
  /** Waits until the listeners have every change that was acknowledged before this call. Resolves to the position. */
  readonly sync = sharedRounds(() => within(readLimitMs, (signal) => this.readUp(signal), this.stop.signal));
  private begun = false;
  private readonly listeners = new Set<ChangeListener>();
  private readonly stop = new AbortController();
  private readonly running: Promise<void>;
  private resumption = deferred();

  constructor(private readonly parts: ChangeStreamParts) {
    this.running = this.run();
  }

  /** Waits until the stream of commits is open, without a time limit, and then calls `sync`. */
  async syncWhenFollowing(): Promise<number> {
    if (!this.following) await this.resumption.promise;
    return this.sync();
  }

  /** Adds a listener for changes after the current position. Returns a function that removes it. */
  subscribe(listener: ChangeListener): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.stop.abort();
    await this.running;
    this.resumption.reject(new DOMException('The change stream is closed.', 'AbortError'));
  }

  private async readUp(signal: AbortSignal) {
    const { position } = this;
    const askedAt = performance.now();
    const head = await this.parts.changes.head(signal);
    if (!this.begun) this.begin(head);
    else if (head < position) this.reset(head);
    else await this.catchUp(head, signal);
    this.upToDateAt = Math.max(this.upToDateAt, askedAt);
    return this.position;
  }

  private async catchUp(target: number, signal: AbortSignal) {
    while (this.position < target) {
      const missed = await this.parts.changes.after(this.position, batchSize, signal);
      if (missed.length === 0 && this.position < target) throw new Error('The change log ends before its counter.');
      for (const change of missed) this.apply(change);
    }
  }

  private apply(change: Change) {
    if (change.position <= this.position) return;
    if (change.position > this.position + 1) {
      this.parts.log.error({ after: this.position, next: change.position }, 'changes are missing from the change log');
      this.reset(change.position);
      return;
    }
    this.position = change.position;
    for (const listener of this.listeners) listener.change(change);
  }

  private begin(position: number) {
    this.begun = true;
    this.position = position;
  }

  private reset(position: number) {
    this.parts.log.warn(
      { was: this.position, is: position },
      'the position in the change log jumped; watchers begin again',
    );
    this.position = position;
    for (const listener of this.listeners) listener.reset();
  }

  private async run() {
    let napMs = pauseMs.least;
    while (!this.stop.signal.aborted) {
      const tail = this.parts.changes.follow();
      try {
        // The first wait proves that the stream is open. Earlier changes are read from the log.
        await this.next(tail);
        await this.sync();
        this.resume();
        napMs = pauseMs.least;
        await this.hear(tail);
      } catch (error) {
        if (!this.stop.signal.aborted) this.suspend(error);
      }
      // Not awaited, because closing is slow when the server is down.
      tail.close().catch(() => undefined);
      await pause(napMs, this.stop.signal);
      napMs = Math.min(napMs * 2, pauseMs.most);
    }
    this.following = false;
  }

  private async hear(tail: CommittedChanges) {
    while (!this.stop.signal.aborted) {
      const askedAt = performance.now();
      const change = await this.next(tail);
      this.upToDateAt = askedAt;
      if (change === undefined) continue;
      if (change.position > this.position + 1) await this.sync();
      else this.apply(change);
    }
  }

  private resume() {
    if (this.stop.signal.aborted) return;
    this.following = true;
    this.resumption.resolve();
    this.parts.log.info({ position: this.position }, 'following the change log');
  }

  private suspend(error: unknown) {
    if (!this.following) return;
    this.following = false;
    this.resumption = deferred();
    this.parts.log.warn({ err: error, position: this.position }, 'lost the tail of the change log; opening a new one');
  }

  private next(tail: CommittedChanges) {
    return within(stalledAfterMs, (signal) => orAbort(tail.next(), signal), this.stop.signal);
  }
}
