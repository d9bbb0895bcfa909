import { ConfigError } from '@knowledge/runtime';
import { MongodbNotFoundError } from '../mongod/find.js';
import { createLocalSystem, type LocalSystem } from './local.js';
import { DataDirInUseError } from './lock.js';
import { PortTakenError } from './ports.js';
import { StartFailedError } from './supervise.js';

// npm forwards Ctrl-C to us, so that one key press arrives twice.
const samePressMs = 1_000;

/** Runs the system until a signal, stops every process in order, and exits with code 0. */
export async function runLocal(root: string): Promise<void> {
  const write = (text: string): void => void process.stdout.write(text);
  // A closed terminal must not end the runner before it has stopped the other processes.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  let local: LocalSystem | undefined;
  let stopSoon: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    stopSoon = resolve;
  });

  let askedAt: number | undefined;
  const onSignal = (): void => {
    if (askedAt === undefined) {
      askedAt = Date.now();
      write('\nStopping …\n');
      stopSoon();
    } else if (Date.now() - askedAt > samePressMs) {
      write('Not waiting for the services any longer; MongoDB is still closed in order.\n');
      local?.hurry();
    }
  };
  const onDefect = (error: unknown): void => {
    fail(write, error);
    stopSoon();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  process.on('uncaughtException', onDefect);
  process.on('unhandledRejection', onDefect);
  const endWatch = watchNpm(onSignal);

  try {
    local = createLocalSystem({ env: process.env, root, write });
    await Promise.race([asked, local.start().then(() => asked)]);
  } catch (error) {
    fail(write, error);
  }
  await local?.stop();
  endWatch();
  if (askedAt !== undefined) write('Stopped.\n');
}

function fail(write: (text: string) => void, error: unknown): void {
  process.exitCode = 1;
  write(`\n${explain(error)}\n`);
}

/** Errors that an operator can act on are shown as their message. Others are defects, shown with their stack. */
function explain(error: unknown): string {
  const expected = [ConfigError, DataDirInUseError, MongodbNotFoundError, PortTakenError, StartFailedError];
  if (!(error instanceof Error)) return String(error);
  // An error of the operating system, such as a read-only directory or a full disk.
  if ('syscall' in error) return error.message;
  return expected.some((type) => error instanceof type) ? error.message : (error.stack ?? error.message);
}

/**
 * Calls `onEnd` when npm was killed: it forwards SIGTERM and SIGINT, but cannot forward SIGKILL.
 * @returns a function that stops watching
 */
function watchNpm(onEnd: () => void): () => void {
  if (process.env.npm_lifecycle_event === undefined) return () => undefined;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onEnd();
  }, 500);
  return () => clearInterval(timer);
}
