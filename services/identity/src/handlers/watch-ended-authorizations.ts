import type {
  WatchEndedAuthorizationsRequest,
  WatchEndedAuthorizationsResponse,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import type { ServerStreamHandler } from '@knowledge/runtime/grpc';
import type { LogEntry } from '../store/transitions.js';
import type { LogFollower } from '../workers/log-follower.js';
import { readCursor } from './watch-grants.js';

/** Follows the log from its beginning, and gives what ends an access for good. */
export function handleWatchEndedAuthorizations(
  follower: LogFollower,
): ServerStreamHandler<WatchEndedAuthorizationsRequest, WatchEndedAuthorizationsResponse> {
  return async ({ afterCursor }, context, emit) => {
    const begun = (position: number): void => context.announce({ 'x-cursor': String(position) });
    for await (const entry of follower.follow(readCursor(afterCursor) ?? 0, context.signal, begun)) {
      if (endsAccess(entry)) await emit(present(entry));
    }
  };
}

function endsAccess({ subject, from, to }: LogEntry): boolean {
  if (subject === 'token') return to === 'expired';
  return (from === 'confirmed' || from === 'issued') && (to === 'revoked' || to === 'erased');
}

function present({ position, lineId, at, actor, to, withdrawWaiting }: LogEntry): WatchEndedAuthorizationsResponse {
  return {
    cursor: String(position),
    authorizationId: lineId,
    endedAt: at,
    actor,
    withdrawWaiting: withdrawWaiting ?? to === 'erased',
  };
}
