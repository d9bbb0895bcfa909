import type {
  WatchEndedAuthorizationsRequest,
  WatchEndedAuthorizationsResponse,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import type { ServerStreamHandler } from '@knowledge/runtime/grpc';
import { followLog, readCursor, readWatchFilter, type WatchedLog } from '@knowledge/runtime/watch';
import type { LogEntry } from '../store/transitions.js';

/** Follows the log from its beginning, and gives what ends an access for good. */
export function handleWatchEndedAuthorizations(
  log: WatchedLog<LogEntry>,
): ServerStreamHandler<WatchEndedAuthorizationsRequest, WatchEndedAuthorizationsResponse> {
  return async ({ afterCursor }, context, emit) => {
    const entries = followLog(log, {
      after: readCursor(afterCursor) ?? 0,
      filter: readWatchFilter(undefined),
      factsOf: (entry) => entry,
      signal: context.signal,
      begun: (position) => context.announce({ 'x-cursor': String(position) }),
    });
    for await (const entry of entries) if (endsAccess(entry)) await emit(present(entry));
  };
}

function endsAccess({ subject, from, to }: LogEntry): boolean {
  if (subject === 'token') return to === 'expired';
  return (from === 'confirmed' || from === 'issued') && (to === 'revoked' || to === 'erased');
}

function present({ position, lineId, at, actor, to, withdrawWaiting }: LogEntry): WatchEndedAuthorizationsResponse {
  return {
    cursor: String(position),
    authorizationId: lineId ?? '',
    endedAt: at,
    actor,
    withdrawWaiting: withdrawWaiting ?? to === 'erased',
  };
}
