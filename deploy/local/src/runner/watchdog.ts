import { setTimeout as delay } from 'node:timers/promises';
import { currentRunner } from './lock.js';
import { endOrphans } from './process-records.js';

/** Ends the processes of a killed runner. A runner that stops normally ends its watchdog first. */
async function cleanUp(dataDir: string, runnerPid: number): Promise<void> {
  // The pipe closes a moment before the process has ended.
  while (currentRunner(dataDir)?.pid === runnerPid) await delay(20);
  if (currentRunner(dataDir) === undefined) await endOrphans(dataDir);
}

const [, , dataDir, runnerPid] = process.argv;
if (dataDir === undefined || runnerPid === undefined) {
  throw new Error('The watchdog is started by the runner, with its data directory and its pid.');
}
// Standard input is an empty pipe from the runner, which closes when the runner ends.
process.stdin.resume().once('end', () => void cleanUp(dataDir, Number(runnerPid)));
