import { type Clock, type Logger, type Loop, startLoop, workerContext } from '@knowledge/runtime';
import { dueChange } from '../domain/end.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import type { TokenStore } from '../store/tokens.js';

const batch = 100;

/**
 * Stores expired authorizations and tokens, and removes old salts (gateway/PROTOCOL.md#token-exchange). Reads check the
 * time themselves, so they do not depend on it. Every replica may run it.
 */
export function startHousekeeping(
  { authorizations, tokens }: { authorizations: AuthorizationStore; tokens: TokenStore },
  clock: Clock,
  log: Logger,
  wakeOutbox: () => void,
): Loop {
  return startLoop({
    name: 'housekeeping',
    pauseMs: 2000,
    longestPauseMs: 5000,
    log,
    round: async (signal) => {
      const call = workerContext(signal, clock());
      const requests = await authorizations.listDue(batch, call);
      for (const id of requests) {
        await authorizations.change(id, (found) => ({ change: dueChange(found, call.now), result: undefined }), call);
      }
      const ended = await tokens.listLapsed(batch, call);
      for (const hash of ended) await tokens.expire(hash, call);
      if (requests.length === 0 && ended.length === 0) return false;
      wakeOutbox();
      return true;
    },
  });
}
