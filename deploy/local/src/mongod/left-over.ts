import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess } from '../processes/end-process.js';
import { commandLine, identifyProcess } from '../processes/identity.js';

/**
 * Ends a mongod that an earlier start left running on this data: mongod notes its pid in its lock file.
 * Nothing is ended unless the process of that pid was started on this very directory; a lock file that
 * a kill left behind is no obstacle, mongod itself takes it over.
 */
export async function endLeftOverMongod(dbPath: string, log: (line: string) => void): Promise<void> {
  const pid = notedPid(dbPath);
  const identity = pid === undefined ? undefined : identifyProcess(pid);
  if (identity === undefined) return;
  const words = commandLine(identity.pid).split(' ');
  if (words[words.indexOf('--dbpath') + 1] !== dbPath) return;
  log(`ending the mongod that an earlier start left running (pid ${identity.pid})`);
  await endProcess(identity, { graceMs: 30_000 });
}

function notedPid(dbPath: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(dbPath, 'mongod.lock'), 'utf8'), 10);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}
