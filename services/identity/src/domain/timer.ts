import { type Authorization, type AuthorizationChange, changeState, purgeAfter } from './authorization.js';
import { actors } from './transition.js';

/**
 * The change that housekeeping must make to an authorization at this time. The authorization expires, or the salt of
 * its token is removed (gateway/PROTOCOL.md#token-exchange). Undefined if nothing is due.
 */
export function dueChange(authorization: Authorization, now: Date): AuthorizationChange | undefined {
  const { state, timerAt, grant } = authorization;
  if (timerAt === null || timerAt > now) return undefined;
  const set = { timerAt: null, purgeAt: purgeAfter(timerAt) };
  switch (state) {
    case 'pending':
      return changeState(authorization, 'expired', byTime(timerAt, 'Nobody decided in time.'), set);
    case 'confirmed':
      return changeState(authorization, 'expired', byTime(timerAt, 'The agent did not fetch its token in time.'), set);
    case 'issued':
      return { set: { timerAt: null, grant: grant && { ...grant, salt: null } } };
    case 'declined':
    case 'expired':
    case 'revoked':
    case 'renewed':
    case 'erased':
      return { set: { timerAt: null } };
  }
}

function byTime(at: Date, reason: string) {
  return { actor: actors.system, at, reason };
}
