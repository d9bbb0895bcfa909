import { KnowledgeError } from '../errors/knowledge-error.js';
import { type Cursor, cursorOf, invalidCursor, requireBehind } from './cursor.js';
import type { LogPosition, RecentEntries } from './recent-entries.js';
import { type EntryFacts, passes, type WatchFilter } from './watch-filter.js';

/** A log that streams follow. */
export interface WatchedLog<Entry extends LogPosition> {
  readonly recent: RecentEntries<Entry>;
  /** Resolves to the position of the last entry, when everything acknowledged before the call is in the log. */
  sync(): Promise<number>;
  /** The stored entries after a position, oldest first. A few reads at a time, however many streams are behind. */
  read(after: number, most: number, signal: AbortSignal): Promise<readonly Entry[]>;
  /** The position before the first entry of this time or later; undefined if there is none. */
  before(since: Date, signal: AbortSignal): Promise<number | undefined>;
}

/** Where a stream begins and what it gives. */
export interface Follow<Entry> {
  /** Behind this place; undefined for only what comes from now on. */
  after: Cursor | undefined;
  filter: WatchFilter;
  /** What filters and cursors look at. */
  factsOf(entry: Entry): EntryFacts;
  signal: AbortSignal;
  /** Called once, with the cursor behind which the stream begins. */
  begun?(cursor: string): void;
}

const batchSize = 200;

/**
 * The entries of a log behind a position, as long as the signal allows, or to the filter's `until`. What is in memory costs
 * no query; a stream that stops for a while costs nothing, since what it has not seen stays in the log.
 *
 * @throws KnowledgeError `validation_error` for a cursor that the log did not give.
 */
export async function* followLog<Entry extends LogPosition>(
  log: WatchedLog<Entry>,
  { after, filter, factsOf, signal, begun }: Follow<Entry>,
): AsyncGenerator<Entry> {
  const { recent } = log;
  const head = await log.sync();
  const { generation } = recent;
  let position = after?.position ?? (await startOf(log, filter.since, signal)) ?? head;
  if (position > head) throw invalidCursor();
  const entry = await entryAt(log, position, signal);
  if (after) requireBehind(after, entry, factsOf);
  begun?.(entry ? cursorOf(entry, factsOf(entry)) : String(position));
  let end: number | undefined;
  for (;;) {
    signal.throwIfAborted();
    if (recent.generation !== generation) {
      throw new KnowledgeError('unavailable', 'The log was replaced; begin again.', { retryAfterSeconds: 1 });
    }
    if (end === undefined && isPast(filter.until)) end = await log.sync();
    const behind = position;
    const entries = recent.after(behind) ?? (await log.read(behind, batchSize, signal));
    for (const entry of entries) {
      if (passes(filter, factsOf(entry))) yield entry;
      position = entry.position;
    }
    if (end !== undefined && (position >= end || entries.length === 0)) return;
    if (position < recent.head && entries.length > 0) continue;
    await recent.changed(signal, msUntil(filter.until));
  }
}

/** The entry at a position; undefined for 0, which has none. */
async function entryAt<Entry extends LogPosition>(
  log: WatchedLog<Entry>,
  position: number,
  signal: AbortSignal,
): Promise<Entry | undefined> {
  if (position === 0) return undefined;
  const [entry] = log.recent.after(position - 1) ?? (await log.read(position - 1, 1, signal));
  return entry?.position === position ? entry : undefined;
}

function startOf<Entry extends LogPosition>(
  log: WatchedLog<Entry>,
  since: Date | undefined,
  signal: AbortSignal,
): Promise<number | undefined> {
  return since === undefined ? Promise.resolve(undefined) : log.before(since, signal);
}

function isPast(until: Date | undefined): boolean {
  return until !== undefined && until.getTime() <= Date.now();
}

function msUntil(until: Date | undefined): number | undefined {
  return until === undefined ? undefined : Math.max(1, until.getTime() - Date.now());
}
