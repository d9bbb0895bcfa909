import { deadlineIn, deadlineSignal, type Logger } from '@knowledge/runtime';
import type { ResolvedToken, TokenStore } from '../store/tokens.js';

/** Collects when tokens are used, so that resolving one never waits for a write. */
export interface TokenUses {
  /** A token was used now; costs a map entry a minute and token. */
  note(token: Pick<ResolvedToken, 'hash' | 'lastUsedAt'>, now: Date): void;
  /** Writes what is noted and stops. */
  close(): Promise<void>;
}

const flushMs = 5000;
const most = 10_000;

/** Writes the minutes of use every 5 s, best effort: what a crash or an outage loses is only seen as an earlier minute. */
export function startTokenUses(tokens: Pick<TokenStore, 'touch'>, log: Logger): TokenUses {
  let noted = new Map<string, Date>();
  const flush = async (): Promise<void> => {
    if (noted.size === 0) return;
    const uses = noted;
    noted = new Map();
    const limit = deadlineSignal(deadlineIn(3000));
    try {
      await tokens.touch(uses, limit.signal);
    } catch (error) {
      log.debug({ err: error, tokens: uses.size }, 'the last uses of tokens are not noted');
    } finally {
      limit.clear();
    }
  };
  let flushing = Promise.resolve();
  const timer = setInterval(() => {
    flushing = flushing.then(flush);
  }, flushMs);
  timer.unref();
  return {
    note: ({ hash, lastUsedAt }, now) => {
      const minute = new Date(now.getTime() - (now.getTime() % 60_000));
      if (lastUsedAt !== null && lastUsedAt >= minute) return;
      if (noted.size < most) noted.set(hash, minute);
    },
    close: async () => {
      clearInterval(timer);
      await flushing;
      await flush();
    },
  };
}
