import { type Clock, type Logger, type Loop, startLoop, workerContext } from '@knowledge/runtime';
import { withdrawnKeptMs } from '../domain/erasure.js';
import type { PersonalDataStore } from '../store/personal-data.js';

/** Erases what was withdrawn long ago, and deletes erased contributions when the catalog and the log have the erasure. */
export function startPurger(personalData: PersonalDataStore, clock: Clock, log: Logger): Loop {
  return startLoop({
    name: 'purger',
    pauseMs: 2000,
    longestPauseMs: 10_000,
    log,
    round: async (signal) => {
      const call = workerContext(signal, clock());
      const due = { updatedAt: { $lte: new Date(call.now.getTime() - withdrawnKeptMs) } };
      const erased = await personalData.eraseWithdrawn(due, { actor: 'system', at: call.now, reason: '' }, call);
      return erased + (await personalData.purge(signal)) > 0;
    },
  });
}
