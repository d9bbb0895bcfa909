import { type Logger, type Loop, startLoop } from '@knowledge/runtime';
import type { Backlog } from '../store/backlog.js';

/** Assesses new and changed texts at once, and what an older release stored while the service works already. */
export function startAssessor(backlog: Backlog, log: Logger): Loop {
  return startLoop({
    name: 'assessor',
    pauseMs: 2000,
    longestPauseMs: 30_000,
    log,
    round: async (signal) => (await backlog.assessNext(signal)) > 0,
  });
}
