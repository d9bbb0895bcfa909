import { type Logger, type Loop, startLoop } from '@knowledge/runtime';
import type { PersonalDataStore } from '../store/personal-data.js';

/** Deletes erased contributions when the catalog and the log have the erasure. */
export function startPurger(personalData: PersonalDataStore, log: Logger): Loop {
  return startLoop({
    name: 'purger',
    pauseMs: 2000,
    longestPauseMs: 10_000,
    log,
    round: async (signal) => (await personalData.purge(signal)) > 0,
  });
}
