import type { WatchGrantsRequest, WatchGrantsResponse } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import type { ServerStreamHandler } from '@knowledge/runtime/grpc';
import { followLog, readCursor, readWatchFilter, type WatchedLog } from '@knowledge/runtime/watch';
import type { LogEntry } from '../store/transitions.js';
import { presentTransition } from './present-record.js';

/** Follows the log. The cursor is the position, so a resumed stream loses and repeats nothing. */
export function handleWatchGrants(
  log: WatchedLog<LogEntry>,
): ServerStreamHandler<WatchGrantsRequest, WatchGrantsResponse> {
  return async ({ afterCursor, filter }, context, emit) => {
    const entries = followLog(log, {
      after: readCursor(afterCursor),
      filter: readWatchFilter(filter),
      factsOf: (entry) => entry,
      signal: context.signal,
      begun: (position) => context.announce({ 'x-cursor': String(position) }),
    });
    for await (const { position, subject, id, agentName = '', ...transition } of entries) {
      await emit({ cursor: String(position), subject, id, transition: presentTransition(transition), agentName });
    }
  };
}
