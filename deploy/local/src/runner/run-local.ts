import { ConfigError } from '@knowledge/runtime';
import { MongodbNotFoundError } from '../mongod/find.js';
import { createLocal, type Local } from './local.js';
import { DataDirInUseError } from './lock.js';
import { PortTakenError } from './ports.js';
import { StartFailedError } from './supervise.js';

// npm hands a Ctrl-C on, so that one press arrives twice.
const SAME_PRESS_MS = 1_000;

/** The body of `npm start`: runs until a signal, stops everything in order, and ends with exit code 0. */
export async function runLocal(root: string): Promise<void> {
  const write = (text: string): void => void process.stdout.write(text);
  // A terminal that was closed must not end the runner before it has ended the others.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  let local: Local | undefined;
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
    } else if (Date.now() - askedAt > SAME_PRESS_MS) {
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
    local = createLocal({ env: process.env, root, write });
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

/** What an operator can act on is told in its own words; anything else is a defect and comes with its stack. */
function explain(error: unknown): string {
  const expected = [ConfigError, DataDirInUseError, MongodbNotFoundError, PortTakenError, StartFailedError];
  if (!(error instanceof Error)) return String(error);
  // Of the operating system: a directory that may not be written, a disk that is full.
  if ('syscall' in error) return error.message;
  return expected.some((type) => error instanceof type) ? error.message : (error.stack ?? error.message);
}

/**
 * npm hands SIGTERM and SIGINT on; when it is killed it cannot. So under npm the end of the parent counts as a signal.
 * @returns a function that ends the watch
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
