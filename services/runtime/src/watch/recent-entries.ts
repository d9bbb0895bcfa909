/** An entry of a log whose positions grow by one, without gaps. */
export interface LogPosition {
  readonly position: number;
}

/**
 * The newest entries of a log, kept in memory for all streams of a process. A stream that keeps up reads only from
 * here; a slower one must query the log.
 */
export class RecentEntries<Entry extends LogPosition> {
  /** The position of the newest entry. */
  head = 0;
  /** Increases when another log replaces this one. */
  generation = 0;
  private entries: Entry[] = [];
  private readonly waiting = new Set<() => void>();
  private waking = false;

  constructor(private readonly most = 1000) {}

  /** Starts at a position of another log. Entries of the old log are dropped, and its streams must end. */
  reset(position: number): void {
    this.head = position;
    this.generation++;
    this.entries = [];
    this.wakeAll();
  }

  /** Moves to a position without having the entries before it. */
  begin(position: number): void {
    this.head = position;
    this.entries = [];
    this.wakeAll();
  }

  /** Adds an entry; one that is already known is ignored. */
  add(entry: Entry): void {
    if (entry.position <= this.head) return;
    if (entry.position !== this.head + 1) this.entries = [];
    this.head = entry.position;
    this.entries.push(entry);
    if (this.entries.length > this.most) this.entries.shift();
    this.wakeAll();
  }

  /** Drops the cached entries, which may contain text that the stored log no longer has. */
  forget(): void {
    this.entries = [];
  }

  /** The entries after a position; undefined if memory does not reach back to it. */
  after(position: number): readonly Entry[] | undefined {
    if (position >= this.head) return [];
    const oldest = this.head - this.entries.length;
    return position < oldest ? undefined : this.entries.slice(position - oldest);
  }

  /** Resolves at the next entry, at a reset, when the signal aborts, or after `limitMs`. */
  changed(signal: AbortSignal, limitMs?: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const timer = limitMs === undefined ? undefined : setTimeout(wake, Math.min(limitMs, 2 ** 31 - 1));
      this.waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
      if (signal.aborted) wake();
    });
  }

  // A few at a time, so that a thousand streams do not block everything else.
  private wakeAll(): void {
    if (this.waking) return;
    this.waking = true;
    const wakeSome = (): void => {
      let left = 50;
      for (const wake of this.waiting) {
        if (left-- === 0) {
          setImmediate(wakeSome);
          return;
        }
        wake();
      }
      this.waking = false;
    };
    setImmediate(wakeSome);
  }
}
