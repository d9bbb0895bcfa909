import { setMaxListeners } from 'node:events';
import { runDesk } from './desk.js';

const interrupt = new AbortController();
// Every call listens to it, and many are made at once.
setMaxListeners(0, interrupt.signal);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    interrupt.abort();
    // A second one ends what does not listen.
    process.once(signal, () => process.exit(130));
  });
}

let outputLost = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // `knowledge watch | head` closes our output: that is an end, not a failure.
  if (error.code !== 'EPIPE' && !outputLost) {
    outputLost = true;
    process.stderr.write(`knowledge: file_error: The output cannot be written (${error.code}).\n`);
  }
  interrupt.abort();
});
// Nobody is left to be told.
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
// A full disk may be told only after the last line was written.
process.once('exit', () => {
  if (outputLost) process.exitCode = 1;
});
