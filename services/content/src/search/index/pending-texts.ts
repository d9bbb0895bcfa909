import { deferred, orAbort } from '@knowledge/runtime';
import type { TextKey } from '../texts/search-text.js';

/** The texts that changed and are not read again yet. */
export class PendingTexts {
  /** The texts with the numbers of their first and last changes that no read contains. */
  private readonly pending = new Map<TextKey, { readonly first: number; readonly last: number }>();
  private count = 0;
  private read = deferred();

  get isEmpty(): boolean {
    return this.pending.size === 0;
  }

  /** Notes a change of a text. */
  add(key: TextKey): void {
    this.count++;
    this.pending.set(key, { first: this.pending.get(key)?.first ?? this.count, last: this.count });
  }

  /** At most this many of the texts that wait longest. `done` must be called after they were read. */
  take(limit: number): { readonly keys: readonly TextKey[]; done(): void } {
    const taken = [...this.pending].slice(0, limit);
    const done = (): void => {
      for (const [key, { last }] of taken) {
        const now = this.pending.get(key)?.last ?? last;
        this.pending.delete(key);
        // The text changed again during the read, which may not contain that change.
        if (now > last) this.pending.set(key, { first: last + 1, last: now });
      }
      this.read.resolve();
      this.read = deferred();
    };
    return { keys: taken.map(([key]) => key), done };
  }

  /** Resolves when every text that changed before this call was read. Rejects when the signal aborts. */
  async settled(signal: AbortSignal): Promise<void> {
    const until = this.count;
    while ([...this.pending.values()].some(({ first }) => first <= until)) await orAbort(this.read.promise, signal);
  }
}
