import { setMaxListeners } from 'node:events';
import { runDesk } from './desk.js';

const interrupt = new AbortController();
// Every call in flight adds a listener, and there can be many.
setMaxListeners(0, interrupt.signal);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    interrupt.abort();
    // A second signal ends a command that ignores the first.
    process.once(signal, () => process.exit(130));
  });
}

let outputLost = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // EPIPE is no failure: `knowledge watch | head` closes our output.
  if (error.code !== 'EPIPE' && !outputLost) {
    outputLost = true;
    process.stderr.write(`knowledge: file_error: The output cannot be written (${error.code}).\n`);
  }
  interrupt.abort();
});
// Nobody can read our messages any more.
process.stderr.on('error', () => interrupt.abort());

const exitCode = await runDesk(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  interrupted: interrupt.signal,
});
process.exitCode = exitCode;
// A full disk may be reported only after the last write.
process.once('exit', () => {
  if (outputLost) process.exitCode = 1;
});
