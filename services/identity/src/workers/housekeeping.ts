import { type Clock, type Logger, type Loop, startLoop, within, workerContext } from '@knowledge/runtime';
import { dueChange } from '../domain/authorization.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import type { ResolvedToken, TokenStore } from '../store/tokens.js';

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

const flushMs = 5000;
const mostNoted = 10_000;

/** Collects the last uses of tokens in memory, so that resolving a token never waits for a write. */
export type TokenUses = ReturnType<typeof startTokenUses>;

/** Writes the collected uses every 5 s. A crash or an outage can lose some; then a token shows an earlier use. */
export function startTokenUses(tokens: Pick<TokenStore, 'recordUses'>, log: Logger) {
  let noted = new Map<string, Date>();
  const flush = async () => {
    if (noted.size === 0) return;
    const uses = noted;
    noted = new Map();
    try {
      await within(3000, (signal) => tokens.recordUses(uses, signal));
    } catch (error) {
      log.debug({ err: error, tokens: uses.size }, 'the last use of some tokens could not be stored');
    }
  };
  let flushing = Promise.resolve();
  const timer = setInterval(() => {
    flushing = flushing.then(flush);
  }, flushMs);
  timer.unref();
  return {
    /** Notes a use in memory. It needs one map entry per token and minute. */
    note({ hash, lastUsedAt }: Pick<ResolvedToken, 'hash' | 'lastUsedAt'>, now: Date) {
      const minute = new Date(now.getTime() - (now.getTime() % 60_000));
      if (lastUsedAt !== null && lastUsedAt >= minute) return;
      if (noted.size < mostNoted) noted.set(hash, minute);
    },
    /** Writes the collected uses to the database and stops. */
    async close() {
      clearInterval(timer);
      await flushing;
      await flush();
    },
  };
}
