import { setTimeout as delay } from 'node:timers/promises';
import { livingRunner } from './lock.js';
import { endLeftOvers } from './process-records.js';

/** Cleans up after a runner that was killed. A runner that stops in order ends its guard before it ends itself. */
async function cleanUp(dataDir: string, runnerPid: number): Promise<void> {
  // The pipe ends a moment before the process has.
  while (livingRunner(dataDir)?.pid === runnerPid) await delay(20);
  if (livingRunner(dataDir) === undefined) await endLeftOvers(dataDir);
}

const [, , dataDir, runnerPid] = process.argv;
if (dataDir === undefined || runnerPid === undefined) {
  throw new Error('The guard is started by the runner, with its data directory and its pid.');
}
// Standard input is a pipe from the runner that nothing is written to: its end is the end of the runner.
process.stdin.resume().once('end', () => void cleanUp(dataDir, Number(runnerPid)));
