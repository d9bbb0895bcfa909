import type { WatchFilter } from '@knowledge/proto/knowledge/common/v1/common';
import { type ServerStreamHandler, serverStream } from '../grpc/index.js';
import { cursorOf, readCursor } from './cursor.js';
import { followLog, type WatchedLog } from './follow-log.js';
import type { LogPosition } from './recent-entries.js';
import { type EntryFacts, readWatchFilter } from './watch-filter.js';

/** What all requests for a log stream have in common. */
interface WatchRequest {
  afterCursor: string;
  filter?: WatchFilter | undefined;
}

/** How a stream presents the entries of a log. */
export interface LogPresentation<Entry, Response> {
  /** The facts that filters and cursors use. */
  factsOf(entry: Entry): EntryFacts;
  /** The message for an entry; undefined to leave it out. */
  toWire(entry: Entry, cursor: string): Response | undefined;
  /** Where a request without a cursor begins (default `now`, with new entries only). */
  readonly begin?: 'now' | 'start';
}

/** Handles a request to stream a log. The metadata `x-cursor` names where the stream begins. */
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
      begun: (cursor) => context.announce({ 'x-cursor': cursor }),
    });
    for await (const entry of entries) {
      const message = toWire(entry, cursorOf(entry, factsOf(entry)));
      if (message !== undefined) await emit(message);
    }
  });
}
