import { hash } from 'node:crypto';
import { KnowledgeError } from '../errors/knowledge-error.js';
import type { LogPosition } from './recent-entries.js';
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
