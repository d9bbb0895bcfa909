import type {
  IdentityServiceService,
  WatchEndedAuthorizationsResponse,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import type { Handlers } from '@knowledge/runtime/grpc';
import { type WatchedLog, watchHandler } from '@knowledge/runtime/watch';
import type { LogEntry } from '../store/transitions.js';

/** Streams the ends of authorizations. Without a cursor it begins at the start of the transition log. */
export function watchEndedAuthorizations(
  log: WatchedLog<LogEntry>,
): Handlers<IdentityServiceService>['watchEndedAuthorizations'] {
  return watchHandler(log, {
    factsOf: (entry) => entry,
    toWire: (entry, cursor) => (endsAccess(entry) ? toWireEnd(entry, cursor) : undefined),
    begin: 'start',
  });
}

function endsAccess({ subject, from, to }: LogEntry): boolean {
  if (subject === 'token') return to === 'expired';
  return (from === 'confirmed' || from === 'issued') && (to === 'revoked' || to === 'erased');
}

function toWireEnd(
  { rootAuthorizationId = '', at, actor, to, withdrawWaiting = to === 'erased' }: LogEntry,
  cursor: string,
): WatchEndedAuthorizationsResponse {
  return { cursor, authorizationId: rootAuthorizationId, endedAt: at, actor, withdrawWaiting };
}
