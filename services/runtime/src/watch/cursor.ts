import { hash } from 'node:crypto';
import type { WatchFilter as WireFilter } from '@knowledge/proto/knowledge/common/v1/common';
import { refuse } from '../text/faults.js';

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
  if (digits === undefined || !Number.isSafeInteger(Number(digits))) refuseCursor();
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
  if (entry?.position !== position || mark !== markOf(position, factsOf(entry))) refuseForeignCursor();
}

/** @throws KnowledgeError `validation_error` for a text that is no cursor of the log. */
export function refuseCursor(): never {
  refuse('after_cursor must be empty, 0 or the cursor of an event');
}

function refuseForeignCursor() {
  refuse(
    'after_cursor belongs to the log before a restore from a backup. Begin with 0, or leave it empty and set filter.since',
  );
}

function markOf(position: number, { subject, id, actor, at }: EntryFacts) {
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
      const wake = () => {
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
  private wakeAll() {
    if (this.waking) return;
    this.waking = true;
    const wakeSome = () => {
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

/** Selects the entries of a stream. An undefined field selects all. */
export interface WatchFilter {
  readonly actor?: string | undefined;
  /** The hash of an e-mail from `personHash`. */
  readonly person?: string | undefined;
  readonly subject?: string | undefined;
  readonly id?: string | undefined;
  readonly idPrefix?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  /** How many of the last entries are sent. */
  readonly last?: number | undefined;
  /** Whether the stream also contains looks at personal data, which changed nothing. */
  readonly audit: boolean;
}

/** The parts of an entry that a filter compares. */
export interface EntryFacts {
  readonly actor: string;
  readonly at: Date;
  readonly subject: string;
  readonly id: string;
  readonly person?: string | undefined;
  /** The state after a change, or what was done, for example `viewed`. */
  readonly to?: string | undefined;
}

/**
 * Reads the filter of a request.
 *
 * @throws KnowledgeError `validation_error` if `until` is before `since`, or if the beginning of an id is too short.
 */
export function readWatchFilter(wire: WireFilter | undefined): WatchFilter {
  if (wire === undefined) return { audit: false };
  const { since, until } = wire;
  if (since !== undefined && until !== undefined && until <= since) {
    refuse('filter.until must be later than filter.since');
  }
  if (wire.idPrefix && wire.idPrefix.length < 4) refuse('filter.id_prefix must have at least 4 characters');
  const last = wire.last || undefined;
  if (last !== undefined && (last < 1 || last > mostLast || until === undefined)) {
    refuse(`filter.last must be 1 to ${mostLast}, together with filter.until`);
  }
  return {
    actor: wire.actor || undefined,
    person: wire.person === '' ? undefined : personHash(wire.person),
    subject: wire.subject || undefined,
    id: wire.id || undefined,
    idPrefix: wire.idPrefix || undefined,
    since,
    until,
    last,
    audit: wire.audit,
  };
}

const mostLast = 20_000;

/** What was done to personal data that only read it. */
const looks: ReadonlySet<string> = new Set(['viewed', 'listed', 'exported']);

/** Whether an entry matches the filter. */
export function matchesFilter(filter: WatchFilter, facts: EntryFacts): boolean {
  if (!filter.audit && looks.has(facts.to ?? '')) return false;
  if (filter.actor !== undefined && !isActor(facts.actor, filter.actor)) return false;
  if (filter.person !== undefined && facts.person !== filter.person) return false;
  if (filter.subject !== undefined && facts.subject !== filter.subject) return false;
  if (filter.id !== undefined && facts.id !== filter.id) return false;
  if (filter.idPrefix !== undefined && !facts.id.startsWith(filter.idPrefix)) return false;
  if (filter.since !== undefined && facts.at < filter.since) return false;
  return filter.until === undefined || facts.at < filter.until;
}

/** Hashes an e-mail in lower case. The log stores only this hash of an owner. */
export function personHash(email: string): string {
  return hash('sha256', `person:${email.toLowerCase()}`, 'base64url');
}

// Under mutual TLS the stored actor also names the certificate: `ada via desk`.
function isActor(stored: string, wanted: string) {
  return stored === wanted || stored.startsWith(`${wanted} via `);
}
