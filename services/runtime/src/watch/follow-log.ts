import type { WatchFilter as WireFilter } from '@knowledge/proto/knowledge/common/v1/common';
import { within } from '../deadline.js';
import { KnowledgeError } from '../errors/knowledge-error.js';
import type { ServerStreamHandler } from '../grpc/index.js';
import { startLoop } from '../lifecycle/loop.js';
import { sharedRounds } from '../lifecycle/promises.js';
import type { Logger } from '../log/logger.js';
import { createConcurrencyLimit } from './concurrency-limit.js';
import {
  type Cursor,
  cursorOf,
  type EntryFacts,
  type LogPosition,
  matchesFilter,
  RecentEntries,
  readCursor,
  readWatchFilter,
  refuseCursor,
  requireMatchingEntry,
  type WatchFilter,
} from './cursor.js';

/** The fields that all requests for a log stream have. */
interface WatchRequest {
  afterCursor: string;
  filter?: WireFilter | undefined;
}

/** Defines how log entries become messages of a stream. */
interface LogPresentation<Entry, Response> {
  /** Returns the facts of an entry that filters and cursors use. */
  factsOf(entry: Entry): EntryFacts;
  /** Converts an entry to a message; undefined leaves the entry out. */
  toWire(entry: Entry, cursor: string): Response | undefined;
  /** Where a stream without a cursor begins. The default `now` sends only new entries. */
  readonly begin?: 'now' | 'start';
}

/** Handles a request for a log stream. The response metadata `x-cursor` is the cursor at which the stream begins. */
export function watchHandler<Entry extends LogPosition, Request extends WatchRequest, Response>(
  log: WatchedLog<Entry>,
  { factsOf, toWire, begin = 'now' }: LogPresentation<Entry, Response>,
): ServerStreamHandler<Request, Response> {
  return async ({ afterCursor, filter }, context, emit) => {
    const entries = followLog(log, {
      after: readCursor(afterCursor === '' && begin === 'start' ? '0' : afterCursor),
      filter: readWatchFilter(filter),
      factsOf,
      signal: context.signal,
      ahead: context.now.getTime() - Date.now(),
      begun: (cursor) => context.announce({ 'x-cursor': cursor }),
    });
    for await (const entry of entries) {
      const message = toWire(entry, cursorOf(entry, factsOf(entry)));
      if (message !== undefined) await emit(message);
    }
  };
}

export interface WatchedLog<Entry extends LogPosition> {
  readonly recent: RecentEntries<Entry>;
  /** Waits until the log contains every change that was acknowledged before the call. Returns the last position. */
  sync(): Promise<number>;
  /** Reads the stored entries after a position, oldest first. Only a few reads run at the same time. */
  read(after: number, most: number, signal: AbortSignal): Promise<readonly Entry[]>;
  /** The position before the first entry since this time; undefined if there is no such entry. */
  positionBefore(since: Date, signal: AbortSignal): Promise<number | undefined>;
}

interface FollowOptions<Entry> {
  /** The cursor after which the stream begins; undefined for new entries only. */
  after: Cursor | undefined;
  filter: WatchFilter;
  /** Returns the facts of an entry that filters and cursors use. */
  factsOf(entry: Entry): EntryFacts;
  signal: AbortSignal;
  /** How far the clock of the entries is ahead of ours, in milliseconds (default 0). */
  ahead?: number;
  /** Called once, with the cursor at which the stream begins. */
  begun?(cursor: string): void;
}

const batchSize = 200;

/**
 * Streams the log entries after a position, until the signal aborts or the filter's `until` has passed. Recent entries
 * come from memory. A slow stream needs no memory, since it reads older entries from the stored log.
 *
 * @throws KnowledgeError `validation_error` if the cursor is not from this log.
 */
export async function* followLog<Entry extends LogPosition>(
  log: WatchedLog<Entry>,
  { after, filter, factsOf, signal, ahead = 0, begun }: FollowOptions<Entry>,
): AsyncGenerator<Entry> {
  const { recent } = log;
  const asked = Date.now();
  const head = await log.sync();
  const { generation } = recent;
  let position = after?.position ?? (await startOf(log, filter.since, signal)) ?? head;
  if (position > head) refuseCursor();
  const entry = await entryAt(log, position, signal);
  if (after) requireMatchingEntry(after, entry, factsOf);
  begun?.(entry ? cursorOf(entry, factsOf(entry)) : String(position));
  const until = filter.until === undefined ? undefined : filter.until.getTime() - ahead;
  // What was acknowledged before `until` is in the log now, if that had passed already.
  let end = until !== undefined && until <= asked ? head : undefined;
  const last: Entry[] = [];
  for (;;) {
    signal.throwIfAborted();
    if (recent.generation !== generation) {
      throw new KnowledgeError('unavailable', 'The log was replaced; begin the stream again.', {
        retryAfterSeconds: 1,
      });
    }
    if (end === undefined && until !== undefined && until <= Date.now()) end = await log.sync();
    const behind = position;
    const entries = recent.after(behind) ?? (await log.read(behind, batchSize, signal));
    for (const entry of entries) {
      if (matchesFilter(filter, factsOf(entry))) {
        if (filter.last === undefined) yield entry;
        else if (last.push(entry) >= 2 * filter.last) last.splice(0, filter.last);
      }
      position = entry.position;
    }
    if (end !== undefined && (position >= end || entries.length === 0)) {
      yield* last.slice(-(filter.last ?? 0));
      return;
    }
    if (position < recent.head && entries.length > 0) continue;
    await recent.changed(signal, until === undefined ? undefined : Math.max(1, until - Date.now()));
  }
}

/** The entry at a position; undefined for position 0. */
async function entryAt<Entry extends LogPosition>(log: WatchedLog<Entry>, position: number, signal: AbortSignal) {
  if (position === 0) return undefined;
  const [entry] = log.recent.after(position - 1) ?? (await log.read(position - 1, 1, signal));
  return entry?.position === position ? entry : undefined;
}

function startOf<Entry extends LogPosition>(log: WatchedLog<Entry>, since: Date | undefined, signal: AbortSignal) {
  return since === undefined ? Promise.resolve(undefined) : log.positionBefore(since, signal);
}

/** A stored log that a loop polls for new entries. */
export interface StoredLog<Entry extends LogPosition> {
  /**
   * Adds waiting transitions to the log and returns whether there are more. Not needed if processes append entries
   * directly.
   */
  collect?(signal: AbortSignal): Promise<boolean>;
  /**
   * Whether there are waiting transitions, or entries after a position. One cheap look, so that an idle process need
   * not collect and read.
   */
  hasNews?(after: number, signal: AbortSignal): Promise<boolean>;
  /** Reads the entries after a position, oldest first. */
  read(after: number, most: number, signal: AbortSignal): Promise<Entry[]>;
  /** The position before the first entry since this time; undefined if there is no such entry. */
  before(since: Date, signal: AbortSignal): Promise<number | undefined>;
  /** The last position; 0 if the log is empty. */
  last(signal: AbortSignal): Promise<number>;
  /** Whether this entry erases text in older entries. If so, cached entries are dropped. */
  erases?(entry: Entry): boolean;
}

/** A log that one loop per process updates and reads for all streams. */
export interface LogTail<Entry extends LogPosition> extends WatchedLog<Entry> {
  /** Reads the log at once. Call it after a change. */
  kick(): void;
  close(): Promise<void>;
}

/** The pause between two looks grows by this factor while the log does not change. */
const longestPause = 5;
const pageSize = 500;
const syncLimitMs = 3000;

/**
 * Starts to update and read the log. Entries from other replicas appear after about `pauseMs` or earlier, and after at
 * most five times `pauseMs` if the log did not change for a while.
 */
export function startLogTail<Entry extends LogPosition>(
  stored: StoredLog<Entry>,
  log: Logger,
  pauseMs = 300,
): LogTail<Entry> {
  const recent = new RecentEntries<Entry>();
  let begun = false;

  const readUp = async (signal: AbortSignal) => {
    if (!begun) {
      const last = await stored.last(signal);
      // Starts one entry earlier. A new stream's cursor names that entry, so memory must contain it.
      if (!begun) recent.reset(Math.max(0, last - 1));
      begun = true;
    }
    for (;;) {
      const entries = await stored.read(recent.head, pageSize, signal);
      for (const entry of entries) {
        if (stored.erases?.(entry)) recent.forget();
        recent.add(entry);
      }
      if (entries.length < pageSize) return;
    }
  };

  const loop = startLoop({
    name: 'transition log',
    pauseMs,
    longestPauseMs: pauseMs * longestPause,
    log,
    round: async (signal) => {
      if (begun && stored.hasNews !== undefined && !(await stored.hasNews(recent.head, signal))) return false;
      const { head } = recent;
      const more = await stored.collect?.(signal);
      await readUp(signal);
      return more === true || recent.head !== head;
    },
  });

  const syncNow = () =>
    within(syncLimitMs, async (signal) => {
      while (await stored.collect?.(signal));
      await readUp(signal);
      return recent.head;
    });

  const reads = createConcurrencyLimit(4);
  return {
    recent,
    sync: sharedRounds(syncNow),
    read: (after, most, signal) => reads.run(signal, () => stored.read(after, most, signal)),
    positionBefore: (since, signal) => reads.run(signal, () => stored.before(since, signal)),
    kick: loop.kick,
    close: loop.close,
  };
}
