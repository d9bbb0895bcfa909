import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { processIdOf } from '../processes/process-id.js';
import { describeEnd } from './launch.js';
import type { LaunchedProcess } from './supervise.js';

/** Starts the process that ends all others if the runner is killed. */
export async function launchWatchdog(dataDir: string): Promise<LaunchedProcess> {
  const program = fileURLToPath(new URL('../../dist/runner/watchdog.js', import.meta.url));
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
    processId: processIdOf(pid) ?? { pid, started: 'ended at once' },
    exited,
    answering: Promise.resolve(),
  };
}
