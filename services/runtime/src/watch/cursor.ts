import { hash } from 'node:crypto';
import { KnowledgeError } from '../errors/knowledge-error.js';
import type { LogPosition } from './recent-entries.js';
import type { EntryFacts } from './watch-filter.js';

/** A place in a log: behind the entry at this position. */
export interface Cursor {
  readonly position: number;
  /** What the entry at the position is known by; undefined where nothing is known of it. */
  readonly mark: string | undefined;
}

/**
 * The cursor behind an entry: its position, and a mark of what never changes in it. A log that was restored from a backup
 * gives the positions behind the backup a second time, to other entries: the mark tells them apart.
 */
export function cursorOf({ position }: LogPosition, facts: EntryFacts): string {
  return `${position}-${markOf(position, facts)}`;
}

/**
 * The place that a cursor stands for; undefined for the empty one, which takes only what comes from now on.
 *
 * @throws KnowledgeError `validation_error` for anything that no stream gave.
 */
export function readCursor(cursor: string): Cursor | undefined {
  if (cursor === '') return undefined;
  const [, digits, mark] = /^(0|[1-9]\d{0,15})(?:-([0-9a-f]{8}))?$/.exec(cursor) ?? [];
  if (digits === undefined || !Number.isSafeInteger(Number(digits))) throw invalidCursor();
  return { position: Number(digits), mark };
}

/**
 * Checks that a cursor was given for the entry that is at its position now, if it says what entry that was.
 *
 * @throws KnowledgeError `validation_error` for the cursor of another log.
 */
export function requireBehind<Entry extends LogPosition>(
  { position, mark }: Cursor,
  entry: Entry | undefined,
  factsOf: (entry: Entry) => EntryFacts,
): void {
  if (mark === undefined) return;
  if (entry?.position !== position || mark !== markOf(position, factsOf(entry))) throw foreignCursor();
}

/** What a cursor is refused with that no stream gave. */
export function invalidCursor(): KnowledgeError {
  return new KnowledgeError('validation_error', 'after_cursor must be empty, 0 or the cursor of an event.');
}

function foreignCursor(): KnowledgeError {
  return new KnowledgeError(
    'validation_error',
    'after_cursor is of another log: this one was restored from a backup. Begin with 0, or empty with filter.since.',
  );
}

function markOf(position: number, { subject, id, actor, at }: EntryFacts): string {
  return hash('sha256', JSON.stringify([position, subject, id, actor, at.getTime()])).slice(0, 8);
}
