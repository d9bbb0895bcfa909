import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess } from '../processes/end-process.js';
import { commandLine, processIdOf } from '../processes/process-id.js';

/**
 * Ends a mongod that an earlier start left running on this data, found by the pid in its lock file.
 * The process must have been started with this very directory. mongod replaces a stale lock file by itself.
 */
export async function endOrphanedMongod(dbPath: string, log: (line: string) => void): Promise<void> {
  const pid = notedPid(dbPath);
  const processId = pid === undefined ? undefined : processIdOf(pid);
  if (processId === undefined) return;
  const words = commandLine(processId.pid).split(' ');
  if (words[words.indexOf('--dbpath') + 1] !== dbPath) return;
  log(`ending the mongod that an earlier start left running (pid ${processId.pid})`);
  await endProcess(processId, { graceMs: 30_000 });
}

function notedPid(dbPath: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(dbPath, 'mongod.lock'), 'utf8'), 10);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
