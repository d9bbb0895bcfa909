import { type Logger, type Loop, startLoop } from '@knowledge/runtime';
import type { PersonalDataStore } from '../store/personal-data.js';

/** Deletes what remained of erased contributions, as soon as the catalog and the log have heard of it. */
export function startPurger(personalData: PersonalDataStore, log: Logger): Loop {
  return startLoop({
    name: 'purger',
    pauseMs: 2000,
    log,
    round: async (signal) => (await personalData.purge(signal)) > 0,
  });
}
