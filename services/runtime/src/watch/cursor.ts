import { hash } from 'node:crypto';
import { KnowledgeError } from '../errors/knowledge-error.js';
import type { EntryFacts } from './watch-filter.js';

/** Identifies an entry of a log. A stream with this cursor begins after the entry. */
export interface Cursor {
  readonly position: number;
  /** A hash of the entry at this position; undefined if the cursor contains none. */
  readonly mark: string | undefined;
}

/**
 * Makes the cursor of an entry: its position and a hash of facts that never change. After a restore from a backup
 * another entry may get the same position. Then the hash is different.
 */
export function cursorOf({ position }: LogPosition, facts: EntryFacts): string {
  return `${position}-${markOf(position, facts)}`;
}

/**
 * Reads a cursor. Undefined if it is empty, which selects only new entries.
 *
 * @throws KnowledgeError `validation_error` if the text is no cursor.
 */
export function readCursor(cursor: string): Cursor | undefined {
  if (cursor === '') return undefined;
  const [, digits, mark] = /^(0|[1-9]\d{0,15})(?:-([0-9a-f]{8}))?$/.exec(cursor) ?? [];
  if (digits === undefined || !Number.isSafeInteger(Number(digits))) throw invalidCursor();
  return { position: Number(digits), mark };
}

/**
 * Checks that the log still has the entry for which the cursor was made. A cursor without a hash is accepted.
 *
 * @throws KnowledgeError `validation_error` if the cursor comes from another log.
 */
export function requireMatchingEntry<Entry extends LogPosition>(
  { position, mark }: Cursor,
  entry: Entry | undefined,
  factsOf: (entry: Entry) => EntryFacts,
): void {
  if (mark === undefined) return;
  if (entry?.position !== position || mark !== markOf(position, factsOf(entry))) throw foreignCursor();
}

/** The error for a text that is no cursor of the log. */
export function invalidCursor(): KnowledgeError {
  return new KnowledgeError('validation_error', 'after_cursor must be empty, 0 or the cursor of an event.');
}

function foreignCursor(): KnowledgeError {
  return new KnowledgeError(
    'validation_error',
    'after_cursor belongs to the log before a restore from a backup. Begin with 0, or leave it empty and set filter.since.',
  );
}

function markOf(position: number, { subject, id, actor, at }: EntryFacts): string {
  return hash('sha256', JSON.stringify([position, subject, id, actor, at.getTime()])).slice(0, 8);
}

/** An entry of a log. Positions increase by one without gaps. */
export interface LogPosition {
  readonly position: number;
}

/**
 * The newest entries of a log, cached for all streams of a process. A stream that is up to date reads only from here. A
 * slower stream must query the log.
 */
export class RecentEntries<Entry extends LogPosition> {
  /** The position of the newest entry. */
  head = 0;
  /** Increases when the log is replaced by another one. */
  generation = 0;
  private entries: Entry[] = [];
  private readonly waiting = new Set<() => void>();
  private waking = false;

  constructor(private readonly most = 1000) {}

  /** Changes to another log at this position. Drops the entries of the old log; its streams must end. */
  reset(position: number): void {
    this.head = position;
    this.generation++;
    this.entries = [];
    this.wakeAll();
  }

  /** Moves the head to a position and drops the entries before it. */
  begin(position: number): void {
    this.head = position;
    this.entries = [];
    this.wakeAll();
  }

  /** Adds an entry. Ignores an entry that it already has. */
  add(entry: Entry): void {
    if (entry.position <= this.head) return;
    if (entry.position !== this.head + 1) this.entries = [];
    this.head = entry.position;
    this.entries.push(entry);
    if (this.entries.length > this.most) this.entries.shift();
    this.wakeAll();
  }

  /** Drops the cached entries, because the stored log no longer has some of their text. */
  forget(): void {
    this.entries = [];
  }

  /** The entries after a position; undefined if the older ones are not in memory. */
  after(position: number): readonly Entry[] | undefined {
    if (position >= this.head) return [];
    const oldest = this.head - this.entries.length;
    return position < oldest ? undefined : this.entries.slice(position - oldest);
  }

  /** Resolves when an entry is added, at a reset, when the signal aborts, or after `limitMs`. */
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

  // Wakes 50 streams at a time, so that a thousand streams do not block other work.
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
