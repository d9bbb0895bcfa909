import type { WatchFilter } from '@knowledge/proto/knowledge/common/v1/common';
import { type ServerStreamHandler, serverStream } from '../grpc/index.js';
import { cursorOf, readCursor } from './cursor.js';
import { followLog, type WatchedLog } from './follow-log.js';
import type { LogPosition } from './recent-entries.js';
import { type EntryFacts, readWatchFilter } from './watch-filter.js';

/** The fields that all requests for a log stream have. */
interface WatchRequest {
  afterCursor: string;
  filter?: WatchFilter | undefined;
}

/** Defines how log entries become messages of a stream. */
export interface LogPresentation<Entry, Response> {
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
  return serverStream(async ({ afterCursor, filter }, context, emit) => {
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
  });
}
