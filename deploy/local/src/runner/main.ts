import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '@knowledge/runtime';
import { StartError } from '../processes/supervise.js';
import { type RunnerMessage, runLocal } from './local.js';

// npm forwards Ctrl-C to us, so that one key press arrives twice.
const samePressMs = 1_000;
const root = resolve(fileURLToPath(new URL('../../../..', import.meta.url)));
const stop = new AbortController();
const hurry = new AbortController();
let askedAt: number | undefined;

// A closed terminal must not end the runner before it has stopped the other processes.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
process.on('uncaughtException', onDefect);
process.on('unhandledRejection', onDefect);
// The process in the terminal was killed.
process.on('disconnect', onSignal);

try {
  await runLocal({ env: process.env, root, write, stop: stop.signal, hurry: hurry.signal });
} catch (error) {
  if (!stop.signal.aborted) fail(error);
}
if (askedAt !== undefined) write('Stopped.\n');
// Every process has ended: nothing that is still open here may keep the start alive.
process.exit();

function onSignal() {
  if (askedAt === undefined) {
    askedAt = Date.now();
    if (process.connected) process.send?.({} satisfies RunnerMessage);
    write('\nStopping …\n');
    stop.abort();
  } else if (Date.now() - askedAt > samePressMs) {
    write('Not waiting for the services any longer; MongoDB is still closed in order.\n');
    hurry.abort();
  }
}

function onDefect(error: unknown) {
  fail(error);
  stop.abort();
}

function fail(error: unknown) {
  process.exitCode = 1;
  write(`\n${explain(error)}\n`);
}

/** Errors that an operator can act on are shown as their message. Others are defects, shown with their stack. */
function explain(error: unknown) {
  if (!(error instanceof Error)) return String(error);
  // Errors of the operating system have `syscall`: a read-only directory, a full disk (whose error can lack `path`).
  const { path, code, syscall } = error as NodeJS.ErrnoException;
  const expected = error instanceof StartError || error instanceof ConfigError || syscall !== undefined;
  const folder = process.env['DATA_DIR'] || '.data';
  const remedy = `\nLet DATA_DIR (now ${folder}) be a folder that you may write, on a disk with free space.`;
  return expected ? error.message + (path || code === 'ENOSPC' ? remedy : '') : (error.stack ?? error.message);
}

function write(text: string) {
  process.stdout.write(text);
}
