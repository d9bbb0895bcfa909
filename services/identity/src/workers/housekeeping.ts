import type { Clock } from '@knowledge/runtime';
import { type Logger, type Loop, startLoop, workerContext } from '@knowledge/runtime';
import { onTimer } from '../domain/timer.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import type { TokenStore } from '../store/tokens.js';

const batch = 100;

/**
 * Writes down what time has done: requests and tokens that expired, and salts that must go
 * (gateway/PROTOCOL.md#token-exchange). Nothing waits for it, since expiry is seen on read; it makes the log complete
 * and the secrets few. Any number of replicas may do so.
 */
export function startHousekeeping(
  { authorizations, tokens }: { authorizations: AuthorizationStore; tokens: TokenStore },
  clock: Clock,
  log: Logger,
): Loop {
  return startLoop({
    name: 'housekeeping',
    pauseMs: 2000,
    log,
    round: async (signal) => {
      const call = workerContext(signal, clock());
      const requests = await authorizations.due(batch, call);
      for (const id of requests) {
        await authorizations.change(id, (found) => ({ change: onTimer(found, call.now), result: undefined }), call);
      }
      const ended = await tokens.lapsed(batch, call);
      for (const hash of ended) await tokens.expire(hash, call);
      return requests.length === batch || ended.length === batch;
    },
  });
}
