import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { endGroup } from './processes/supervise.js';
import type { RunnerMessage } from './runner/local.js';

const answerWithinMs = 5_000;

// This process stays in the terminal and forwards signals. The runner leads a process group of its own.
// If one of the two is killed, the other ends every process of the group.
const runner = spawn(process.execPath, [fileURLToPath(new URL('runner/main.js', import.meta.url))], {
  detached: true,
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});
const runFiles: string[] = [];
let isStopping = false;
runner.on('message', ({ runFile }: RunnerMessage) => {
  if (runFile === undefined) isStopping = true;
  else runFiles.push(runFile);
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal));
const watch = watchNpm(() => stop('SIGTERM'));

const [code, signal] = await once(runner, 'exit');
clearInterval(watch);
if (signal !== null) {
  process.stderr.write(`The runner was ended by ${signal}; its processes end too.\n`);
  await endGroup(runner.pid ?? 0);
  for (const path of runFiles) rmSync(path, { force: true });
}
process.exitCode = code ?? 1;

/** Stops the runner. One that does not answer in time hangs in a call of the system, so nothing else ends it. */
function stop(signal: NodeJS.Signals) {
  runner.kill(signal);
  setTimeout(() => isStopping || runner.kill('SIGKILL'), answerWithinMs).unref();
}

/** Calls `onEnd` when npm was killed: it forwards SIGTERM and SIGINT, but cannot forward SIGKILL. */
function watchNpm(onEnd: () => void) {
  if (process.env['npm_lifecycle_event'] === undefined) return undefined;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onEnd();
  }, 500);
  return timer;
}
