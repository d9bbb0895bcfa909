import { type Authorization, type AuthorizationChange, moved, purgeAfter } from './authorization.js';
import { actors } from './transition.js';

/**
 * What time alone does to a request: it expires, its pick-up ends, or the salt of its token is wiped
 * (gateway/PROTOCOL.md#token-exchange). Undefined if that time has not come.
 */
export function onTimer(authorization: Authorization, now: Date): AuthorizationChange | undefined {
  const { state, timerAt, grant } = authorization;
  if (timerAt === null || timerAt > now) return undefined;
  const set = { timerAt: null, purgeAt: purgeAfter(timerAt) };
  switch (state) {
    case 'pending':
      return moved(authorization, 'expired', byTime(timerAt, 'Nobody decided in time.'), set);
    case 'confirmed':
      return moved(authorization, 'expired', byTime(timerAt, 'The agent did not fetch its token in time.'), set);
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
