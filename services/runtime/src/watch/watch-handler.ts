import type { WatchFilter } from '@knowledge/proto/knowledge/common/v1/common';
import { type ServerStreamHandler, serverStream } from '../grpc/index.js';
import { cursorOf, readCursor } from './cursor.js';
import { followLog, type WatchedLog } from './follow-log.js';
import type { LogPosition } from './recent-entries.js';
import { type EntryFacts, readWatchFilter } from './watch-filter.js';

/** What every request for a stream of a log says. */
interface WatchRequest {
  afterCursor: string;
  filter?: WatchFilter | undefined;
}

/** A log as a stream shows it. */
export interface Watch<Entry, Response> {
  /** What filters look at, and what a cursor remembers of an entry. */
  factsOf(entry: Entry): EntryFacts;
  /** The message for an entry; undefined for one that this stream leaves out. */
  toWire(entry: Entry, cursor: string): Response | undefined;
  /** Where a request without a cursor begins: only what comes from now on, unless it says otherwise. */
  readonly begin?: 'now' | 'start';
}

/** Follows a log as a request asks. The metadata `x-cursor` says where the stream begins. */
export function watchHandler<Entry extends LogPosition, Request extends WatchRequest, Response>(
  log: WatchedLog<Entry>,
  { factsOf, toWire, begin = 'now' }: Watch<Entry, Response>,
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
