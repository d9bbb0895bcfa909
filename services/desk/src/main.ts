import { setMaxListeners } from 'node:events';
import type { Host } from './base/host.js';
import { runDesk } from './cli.js';
import { runCommandLines } from './command-lines.js';

const interrupt = new AbortController();
// Every running call adds a listener, and there can be many, so Node must not warn.
setMaxListeners(0, interrupt.signal);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    interrupt.abort();
    // A command may ignore the first signal. The second signal ends the process.
    process.once(signal, () => process.exit(130));
  });
}

let outputLost = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // EPIPE is not a failure: in `knowledge watch | head`, `head` ends first.
  if (error.code !== 'EPIPE' && !outputLost) {
    outputLost = true;
    process.stderr.write(`knowledge: file_error: The output cannot be written (${error.code}).\n`);
  }
  interrupt.abort();
});
// If standard error fails, nobody can read messages any more.
process.stderr.on('error', () => interrupt.abort());

const args = process.argv.slice(2);
const host: Host = {
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  interrupted: interrupt.signal,
};
// A process that forks the desk without a command line sends many.
if (args.length === 0 && process.connected) runCommandLines(host);
else process.exitCode = await runDesk(args, host);
// Node may report a full disk only after the last write, so this checks again at the exit.
process.once('exit', () => {
  if (outputLost) process.exitCode = 1;
});
