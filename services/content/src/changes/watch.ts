import { KnowledgeError } from '@knowledge/runtime';
import { RecentEntries, type WatchedLog } from '@knowledge/runtime/watch';
import type { Change, ChangeLog } from './log.js';
import type { ChangeStream } from './stream.js';

/** The messages to a watcher. The first one is `started`; then changes and pongs follow. */
export type WatchMessage =
  | { readonly kind: 'started'; readonly position: number }
  | { readonly kind: 'change'; readonly change: Change }
  | { readonly kind: 'pong'; readonly nonce: string; readonly position: number };

export interface WatchParts {
  changeStream: Pick<ChangeStream, 'position' | 'subscribe' | 'syncWhenFollowing'>;
  changes: ChangeLog;
}

/** The largest number of messages that may wait for a slow watcher. Together they usually need less than 1 MiB. */
const maxWaiting = 1000;
const replayBatch = 200;

/** Sends all changes to one cache, for example that of a gateway. */
export class ChangeWatch {
  /** Rejects when the watch ends with an error, even if a message is being sent. It never resolves. */
  readonly failed: Promise<never>;
  private readonly waiting: WatchMessage[] = [];
  private readonly pings: string[] = [];
  private answering = false;
  private ended = false;
  private failure: unknown;
  private wake: () => void = () => undefined;
  private fail: (error: unknown) => void = () => undefined;

  /**
   * Begins a watch. It first sends the changes after the position `after` from the log; undefined sends only new changes.
   * A position beyond the end comes from another log. The watch then begins at the end, and `started` shows its position.
   */
  constructor(
    private readonly parts: WatchParts,
    private readonly after: number | undefined,
    private readonly signal: AbortSignal,
  ) {
    this.failed = new Promise((_, reject) => {
      this.fail = reject;
    });
    this.failed.catch(() => undefined);
  }

  /** Requests a pong. It is sent after every change that was acknowledged before this call. */
  ping(nonce: string): void {
    if (this.ended) return;
    this.pings.push(nonce);
    if (this.pings.length > maxWaiting) this.end(tooSlow());
    else if (!this.answering) void this.answer();
  }

  /** Ends the watch. With an error it ends at once, otherwise after sending the waiting messages. */
  end(error?: unknown): void {
    if (this.ended) return;
    this.ended = true;
    this.failure = error;
    if (error !== undefined) this.fail(error);
    this.wake();
  }

  /** The messages to send. Iterate only once. Rejects with the error that `end` received. */
  async *messages(): AsyncGenerator<WatchMessage> {
    const { changeStream } = this.parts;
    const onAbort = () => this.end(this.signal.reason);
    this.signal.addEventListener('abort', onAbort, { once: true });
    if (this.signal.aborted) onAbort();
    let unsubscribe: (() => void) | undefined;
    try {
      await Promise.race([changeStream.syncWhenFollowing(), this.ending()]);
      if (this.failure !== undefined) throw this.failure;
      // Reads the position in the same tick as it subscribes, so that no change is missing or repeated.
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
      const batch = await this.parts.changes.after(position, replayBatch, this.signal);
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

  // Resolves when a message is added or the watch ends.
  private ending(): Promise<void> {
    return new Promise((resolve) => {
      if (this.ended) resolve();
      this.wake = resolve;
    });
  }

  private push(message: WatchMessage) {
    if (this.ended) return;
    this.waiting.push(message);
    if (this.waiting.length > maxWaiting) this.end(tooSlow());
    else this.wake();
  }

  // One sync is enough for all pings that came before the sync began.
  private async answer() {
    this.answering = true;
    while (this.pings.length > 0 && !this.ended) {
      const asked = this.pings.length;
      try {
        const position = await this.parts.changeStream.syncWhenFollowing();
        for (const nonce of this.pings.splice(0, asked)) this.push({ kind: 'pong', nonce, position });
      } catch (error) {
        // Without pongs the watch is useless, so it ends. The watcher can then open a new one.
        this.end(error);
      }
    }
    this.answering = false;
  }
}

function tooSlow() {
  return new KnowledgeError('unavailable', 'The watcher reads too slowly; begin again from the last position.');
}

/** The change log for the streams to editors. Recent changes come from memory, older ones from the stored log. */
export function watchedChanges(changeStream: ChangeStream, changes: ChangeLog): WatchedLog<Change> {
  const recent = new RecentEntries<Change>();
  changeStream.subscribe({ change: (change) => recent.add(change), reset: () => recent.reset(changeStream.position) });
  return {
    recent,
    async sync() {
      const position = await changeStream.sync();
      if (position > recent.head) recent.begin(position);
      return position;
    },
    read: (after, most, signal) => changes.after(after, most, signal),
    positionBefore: (since, signal) => changes.before(since, signal),
  };
}
