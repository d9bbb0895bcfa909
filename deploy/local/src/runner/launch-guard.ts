import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { identifyProcess } from '../processes/identity.js';
import { describeEnd } from './launch.js';
import type { Launched } from './supervise.js';

/** Starts the process that ends all others when this one is killed and cannot do it itself. */
export async function launchGuard(dataDir: string): Promise<Launched> {
  const program = fileURLToPath(new URL('../../dist/runner/guard.js', import.meta.url));
  const child = spawn(process.execPath, [program, dataDir, String(process.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(describeEnd(code, signal)));
  });
  const pid = await new Promise<number>((resolve, reject) => {
    child.once('spawn', () => resolve(child.pid ?? 0));
    child.once('error', reject);
  });
  return {
    identity: identifyProcess(pid) ?? { pid, started: 'ended at once' },
    exited,
    answering: Promise.resolve(),
  };
}
