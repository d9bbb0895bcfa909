import { setFlagsFromString } from 'node:v8';
import { ConfigError, type Environment } from '../config/read-config.js';
import { createLogger, type Logger, serializeError } from '../log/logger.js';

/** A running process. `start()` returns it to tests, to the local runner and to `main.ts`. */
export interface RunningProcess {
  /** The address at which it listens: `host:port` or a URL. */
  readonly address: string;
  /** The log of the service. `runMain` writes its lines about start and stop there. */
  readonly log?: Logger;
  /** Rejects when the process can never do its work, which only shows after the start. */
  readonly failed?: Promise<never>;
  /** How long `close` only serves on, in milliseconds (`DRAIN_DELAY_SECONDS`). */
  readonly drainMs?: number;
  close(): Promise<void>;
}

/** The longest time from the stop signal, and the drain, until the process ends (ARCHITECTURE.md#failure). */
const stopLimitMs = 20_000;

/**
 * The body of every `main.ts`. It starts the service, logs "listening" with the address, and closes it on SIGTERM or
 * SIGINT. For a ConfigError it prints the faults. A failed start or an uncaught error ends the process with exit code
 * 1. An uncaught error of a single connection is only logged, since a peer can cause it at any time. If the first argument
 * names a task, only that is done. Its error is printed like that of a start.
 */
export async function runMain(
  start: (env: Environment) => Promise<RunningProcess>,
  tasks: Readonly<Record<string, (env: Environment) => Promise<void>>> = {},
): Promise<void> {
  const [, , name = ''] = process.argv;
  const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
  if (task !== undefined) return task(process.env).catch(leaveFailed);
  let running: RunningProcess | undefined;
  let stopping = false;
  let signalled: string | undefined;

  const log = () => running?.log ?? createLogger({ name: 'main' });
  const stop = (why: string) => {
    signalled ??= why;
    if (running === undefined || stopping) return;
    stopping = true;
    watchLoop(log(), running.drainMs);
    log().info({ reason: why }, 'stopping');
    running.close().then(
      () => {
        log().info('stopped');
        leaveSoon();
      },
      (error: unknown) => {
        process.exitCode = 1;
        log().error({ err: error }, 'stopped with an error');
      },
    );
  };

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));
  const crash = (error: unknown) => {
    if (isOfOneConnection(error)) {
      log().error({ err: error }, 'nobody handled the error of a connection');
      return;
    }
    process.exitCode = 1;
    log().fatal({ err: error }, 'an error that nobody caught');
    stop('crash');
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);

  try {
    running = await start(process.env);
  } catch (error) {
    leaveFailed(error);
    return;
  }
  running.failed?.catch(leaveFailed);
  // It was kept small for the start (`small-start.ts`).
  setFlagsFromString('--semi-space-growth-factor=2');
  log().info({ address: running.address, pid: process.pid }, 'listening');
  if (signalled !== undefined) stop(signalled);
}

// Nothing was served, so what is half open need not be closed, and nobody waits for it.
function leaveFailed(error: unknown) {
  process.exitCode = 1;
  process.stderr.write(`${startFailure(error)}\n`, () => process.exit());
}

const connectionErrors = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT', 'ENOTCONN', 'EMFILE', 'ENFILE']);
const connectionCalls = new Set(['read', 'write', 'shutdown', 'accept', 'setsockopt', 'getpeername']);

// The failed system call shows whether one client caused the error. A refused connect or a failed file write does not.
function isOfOneConnection(error: unknown) {
  if (!(error instanceof Error)) return false;
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  return connectionErrors.has(code) && connectionCalls.has(syscall);
}

// The timer does not keep the process alive. It fires only if a defect keeps the process alive beyond the limit.
function watchLoop(log: Logger, drainMs = 0) {
  setTimeout(() => {
    log.fatal({ resources: process.getActiveResourcesInfo() }, 'still busy after the time to stop; leaving');
    process.exit(1);
  }, drainMs + stopLimitMs).unref();
}

/** After closing, the process may need this time until nothing keeps it alive. */
const emptyWithinMs = 2000;

// If a gRPC channel closes while it connects, its socket stays open until the system gives up, perhaps minutes. All
// other resources are closed here, so the process may exit.
function leaveSoon() {
  setTimeout(() => process.exit(), emptyWithinMs).unref();
}

function startFailure(error: unknown) {
  if (error instanceof ConfigError) return error.message;
  // gRPC tells it only in the text of its error.
  const [, taken] = /EADDRINUSE: address already in use ([\w.:]+)/.exec(String(error)) ?? [];
  if (taken !== undefined)
    return `The address ${taken} is taken by another program, or two variables name it. Choose another port.`;
  return JSON.stringify({ level: 'fatal', message: 'the start failed', err: serializeError(error) });
}
