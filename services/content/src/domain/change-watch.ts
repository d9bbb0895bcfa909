import { KnowledgeError } from '@knowledge/runtime';
import type { Change } from './change.js';
import type { ChangeLog } from './change-log.js';
import type { ChangeStream } from './change-stream.js';

/** What a watcher is told, in this order: once that it began, then changes and answers to its pings. */
export type WatchMessage =
  | { readonly kind: 'started'; readonly position: number }
  | { readonly kind: 'change'; readonly change: Change }
  | { readonly kind: 'pong'; readonly nonce: string; readonly position: number };

/** One cache that wants to hear of everything that changes. */
export interface ChangeWatch {
  /** Asks for a pong, which comes after every change that was acknowledged before this call. */
  ping(nonce: string): void;
  /** What to send; to be iterated once. Rejects with what `end` was given. */
  messages(): AsyncIterable<WatchMessage>;
  /** Ends the watch; without an error, after what waits was sent. */
  end(error?: unknown): void;
  /** Rejects when the watch ends with an error, also while a message is being sent; never resolves. */
  readonly failed: Promise<never>;
}

/** What a watch needs. */
export interface WatchDependencies {
  changeStream: ChangeStream;
  changes: ChangeLog;
}

/** The messages that may wait for a slow watcher, some 100 bytes each, at most 1 MiB. */
const maxWaiting = 1000;
const replayBatch = 200;

/**
 * Begins a watch. What came after the position `after` is sent first, from the log; undefined for only what comes from now on.
 * A position beyond the end of the log belongs to another log: the watch begins at the end, and the watcher sees that.
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
      // In one step with the subscription: nothing is left out or told twice.
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

  // One proof answers every ping that came before it was asked for.
  private async answer(): Promise<void> {
    this.answering = true;
    while (this.pings.length > 0 && !this.ended) {
      const asked = this.pings.length;
      try {
        const position = await this.deps.changeStream.syncWhenFollowing();
        for (const nonce of this.pings.splice(0, asked)) this.push({ kind: 'pong', nonce, position });
      } catch (error) {
        // The watcher is better off with a new stream than with one that cannot answer.
        this.end(error);
      }
    }
    this.answering = false;
  }
}

function tooSlow(): KnowledgeError {
  return new KnowledgeError('unavailable', 'The watcher does not keep up; begin again from the last position.');
}
