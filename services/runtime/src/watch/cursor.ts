import { hash } from 'node:crypto';
import { KnowledgeError } from '../errors/knowledge-error.js';
import type { LogPosition } from './recent-entries.js';
import type { EntryFacts } from './watch-filter.js';

/** A place in a log, after the entry at this position. */
export interface Cursor {
  readonly position: number;
  /** Identifies the entry at the position; undefined if unknown. */
  readonly mark: string | undefined;
}

/**
 * The cursor after an entry: its position, and a mark made from facts that never change. After a restore from a backup,
 * positions are used again for other entries; the mark tells them apart.
 */
export function cursorOf({ position }: LogPosition, facts: EntryFacts): string {
  return `${position}-${markOf(position, facts)}`;
}

/**
 * Reads a cursor; undefined if empty, which means only new entries.
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
 * Checks that the entry now at a cursor's position is the one that the cursor was made for. A cursor without a mark
 * passes.
 *
 * @throws KnowledgeError `validation_error` for the cursor of another log.
 */
export function requireMatchingEntry<Entry extends LogPosition>(
  { position, mark }: Cursor,
  entry: Entry | undefined,
  factsOf: (entry: Entry) => EntryFacts,
): void {
  if (mark === undefined) return;
  if (entry?.position !== position || mark !== markOf(position, factsOf(entry))) throw foreignCursor();
}

/** The error for a cursor that no stream gave. */
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
