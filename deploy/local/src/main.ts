import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { endGroup } from './processes/end-group.js';

// This process stays in the terminal and forwards signals. The runner leads a process group of its own.
// If one of the two is killed, the other ends every process of the group.
const runner = spawn(process.execPath, [fileURLToPath(new URL('runner/main.js', import.meta.url))], {
  detached: true,
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});
const runFiles: string[] = [];
runner.on('message', (path) => runFiles.push(String(path)));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => runner.kill(signal));
const watch = watchNpm(() => runner.kill('SIGTERM'));

const [code, signal] = await once(runner, 'exit');
clearInterval(watch);
if (signal !== null) {
  process.stderr.write(`The runner was ended by ${signal}; its processes end too.\n`);
  await endGroup(runner.pid ?? 0);
  for (const path of runFiles) rmSync(path, { force: true });
}
process.exitCode = code ?? 1;

/** Calls `onEnd` when npm was killed: it forwards SIGTERM and SIGINT, but cannot forward SIGKILL. */
function watchNpm(onEnd: () => void): NodeJS.Timeout | undefined {
  if (process.env['npm_lifecycle_event'] === undefined) return undefined;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onEnd();
  }, 500);
  return timer;
}
