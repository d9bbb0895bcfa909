import { KnowledgeError } from '@knowledge/runtime';
import type { Change } from './change.js';
import type { ChangeLog } from './change-log.js';
import type { ChangeStream } from './change-stream.js';

/** The messages to a watcher: first one `started`, then changes and pongs. */
export type WatchMessage =
  | { readonly kind: 'started'; readonly position: number }
  | { readonly kind: 'change'; readonly change: Change }
  | { readonly kind: 'pong'; readonly nonce: string; readonly position: number };

/** A stream of all changes to one cache. */
export interface ChangeWatch {
  /** Requests a pong. It follows every change that was acknowledged before this call. */
  ping(nonce: string): void;
  /** The messages to send; iterate once. Rejects with the error that was given to `end`. */
  messages(): AsyncIterable<WatchMessage>;
  /** Ends the watch: at once with an error, else after the waiting messages were sent. */
  end(error?: unknown): void;
  /** Rejects when the watch ends with an error, also while a message is being sent; never resolves. */
  readonly failed: Promise<never>;
}

export interface WatchDependencies {
  changeStream: ChangeStream;
  changes: ChangeLog;
}

/** How many messages may wait for a slow watcher; about 100 bytes each, 1 MiB in all. */
const maxWaiting = 1000;
const replayBatch = 200;

/**
 * Begins a watch. First sends the changes after the position `after` from the log; with undefined, only changes from now on.
 * A position beyond the end of the log comes from another log: the watch then begins at the end, which `started` shows.
 */
export function beginWatch(deps: WatchDependencies, after: number | undefined, signal: AbortSignal): ChangeWatch {
  return new Watch(deps, after, signal);
}

class Watch implements ChangeWatch {
  readonly failed: Promise<never>;
  private readonly waiting: WatchMessage[] = [];
  private readonly pings: string[] = [];
  private answering = false;
  private ended = false;
  private failure: unknown;
  private wake: () => void = () => undefined;
  private fail: (error: unknown) => void = () => undefined;

  constructor(
    private readonly deps: WatchDependencies,
    private readonly after: number | undefined,
    private readonly signal: AbortSignal,
  ) {
    this.failed = new Promise((_, reject) => {
      this.fail = reject;
    });
    this.failed.catch(() => undefined);
  }

  ping(nonce: string): void {
    if (this.ended) return;
    this.pings.push(nonce);
    if (this.pings.length > maxWaiting) this.end(tooSlow());
    else if (!this.answering) void this.answer();
  }

  end(error?: unknown): void {
    if (this.ended) return;
    this.ended = true;
    this.failure = error;
    if (error !== undefined) this.fail(error);
    this.wake();
  }

  async *messages(): AsyncGenerator<WatchMessage> {
    const { changeStream } = this.deps;
    const onAbort = (): void => this.end(this.signal.reason);
    this.signal.addEventListener('abort', onAbort, { once: true });
    if (this.signal.aborted) onAbort();
    let unsubscribe: (() => void) | undefined;
    try {
      await Promise.race([changeStream.syncWhenFollowing(), this.ending()]);
      if (this.failure !== undefined) throw this.failure;
      // In the same step as the subscription, so no change is missing or repeated.
      const { position } = changeStream;
      unsubscribe = changeStream.subscribe({
        change: (change) => this.push({ kind: 'change', change }),
        reset: () => this.end(new KnowledgeError('unavailable', 'The change log was replaced; begin again.')),
      });
      yield { kind: 'started', position };
      if (this.after !== undefined) yield* this.replay(this.after, position);
      yield* this.live();
    } finally {
      unsubscribe?.();
      this.signal.removeEventListener('abort', onAbort);
      this.end();
    }
  }

  private async *replay(after: number, until: number): AsyncGenerator<WatchMessage> {
    let position = after;
    while (position < until && !this.ended) {
      const batch = await this.deps.changes.after(position, replayBatch, this.signal);
      for (const change of batch) {
        if (change.position > until) return;
        yield { kind: 'change', change };
        position = change.position;
      }
      if (batch.length === 0) return;
    }
  }

  private async *live(): AsyncGenerator<WatchMessage> {
    for (;;) {
      if (this.failure !== undefined) throw this.failure;
      const next = this.waiting.shift();
      if (next !== undefined) yield next;
      else if (this.ended) return;
      else await this.ending();
    }
  }

  // Resolves at the next message or at the end.
  private ending(): Promise<void> {
    return new Promise((resolve) => {
      if (this.ended) resolve();
      this.wake = resolve;
    });
  }

  private push(message: WatchMessage): void {
    if (this.ended) return;
    this.waiting.push(message);
    if (this.waiting.length > maxWaiting) this.end(tooSlow());
    else this.wake();
  }

  // One sync answers every ping that came before it began.
  private async answer(): Promise<void> {
    this.answering = true;
    while (this.pings.length > 0 && !this.ended) {
      const asked = this.pings.length;
      try {
        const position = await this.deps.changeStream.syncWhenFollowing();
        for (const nonce of this.pings.splice(0, asked)) this.push({ kind: 'pong', nonce, position });
      } catch (error) {
        // A new stream serves the watcher better than one that cannot answer pings.
        this.end(error);
      }
    }
    this.answering = false;
  }
}

function tooSlow(): KnowledgeError {
  return new KnowledgeError('unavailable', 'The watcher does not keep up; begin again from the last position.');
}
