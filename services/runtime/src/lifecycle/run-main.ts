import { ConfigError } from '../config/config-error.js';
import type { Environment } from '../config/read-config.js';
import { createLogger, type Logger } from '../log/logger.js';
import { serializeError } from '../log/serialize-error.js';

/** A running process, as `start()` returns it to tests, the local runner and `main.ts`. */
export interface RunningProcess {
  /** Its address: `host:port` or a URL. */
  readonly address: string;
  /** The log of the service, for the lines about its start and stop. */
  readonly log?: Logger;
  close(): Promise<void>;
}

/** A stopped process must be gone within this time (ARCHITECTURE.md#failure). */
const stopLimitMs = 20_000;

/**
 * The body of every `main.ts`. It starts the service, logs "ready" with its address, and closes it on SIGTERM or
 * SIGINT. A ConfigError prints its lines. A failed start or an uncaught error ends with exit code 1. An uncaught error
 * of a single connection is only logged, since a peer can cause it at any time.
 */
export async function runMain(start: (env: Environment) => Promise<RunningProcess>): Promise<void> {
  let running: RunningProcess | undefined;
  let stopping = false;
  let signalled: string | undefined;

  const log = (): Logger => running?.log ?? createLogger({ name: 'main' });
  const stop = (why: string): void => {
    signalled ??= why;
    if (running === undefined || stopping) return;
    stopping = true;
    watchLoop(log());
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
  const crash = (error: unknown): void => {
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
    process.exitCode = 1;
    process.stderr.write(`${startFailure(error)}\n`);
    watchLoop(undefined);
    return;
  }
  log().info({ address: running.address, pid: process.pid }, 'ready');
  if (signalled !== undefined) stop(signalled);
}

const connectionErrors = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ETIMEDOUT', 'ENOTCONN', 'EMFILE', 'ENFILE']);
const connectionCalls = new Set(['read', 'write', 'shutdown', 'accept', 'setsockopt', 'getpeername']);

// Decided by the failed system call: a refused connect or a failed file write does not come from one client.
function isOfOneConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  return connectionErrors.has(code) && connectionCalls.has(syscall);
}

// The unreferenced timer fires only when something keeps the process alive beyond the limit, which is a defect.
function watchLoop(log: Logger | undefined): void {
  setTimeout(() => {
    log?.fatal({ resources: process.getActiveResourcesInfo() }, 'still busy after the time to stop; leaving');
    process.exit(1);
  }, stopLimitMs).unref();
}

/** How long closed resources may still keep the process alive. */
const emptyWithinMs = 2000;

// Closing a gRPC channel while it connects keeps its socket open until the system gives up. That can take minutes.
// Everything of ours is closed by then, so the process may exit.
function leaveSoon(): void {
  setTimeout(() => process.exit(), emptyWithinMs).unref();
}

function startFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  return JSON.stringify({ level: 'fatal', message: 'the start failed', err: serializeError(error) });
}
