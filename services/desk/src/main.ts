import { runDesk } from './desk.js';

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    interrupt.abort();
    // A second one ends what does not listen.
    process.once(signal, () => process.exit(130));
  });
}
// `knowledge watch | head` closes our output: that is an end, not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  interrupt.abort();
});

process.exitCode = await runDesk(process.argv.slice(2), {
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  interrupted: interrupt.signal,
});
