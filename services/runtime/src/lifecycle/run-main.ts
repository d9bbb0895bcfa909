import { ConfigError } from '../config/config-error.js';
import type { Environment } from '../config/read-config.js';
import { createLogger, type Logger } from '../log/logger.js';
import { serializeError } from '../log/serialize-error.js';

/** A service that runs: what `start()` gives to tests, to the local runner and to `main.ts`. */
export interface Running {
  /** Where it listens, `host:port` or a URL. */
  readonly address: string;
  /** The log of the service, for the lines about its start and stop. */
  readonly log?: Logger;
  close(): Promise<void>;
}

/** Within this time a stopped process is gone (ARCHITECTURE.md#failure). */
const stopLimitMs = 20_000;

/**
 * The body of every `main.ts`: starts the service with the environment, says "ready" with its address, closes it on
 * SIGTERM or SIGINT and lets the event loop empty. A ConfigError prints its lines; any failed start, and any error that
 * nobody caught, ends with exit code 1. Only the error of a single connection is logged and ends nothing: the other end
 * decides when it comes.
 */
export async function runMain(start: (env: Environment) => Promise<Running>): Promise<void> {
  let running: Running | undefined;
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

// By the failed system call: a refused connect, or a file that cannot be written, is no matter of one client.
function isOfOneConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  return connectionErrors.has(code) && connectionCalls.has(syscall);
}

// Unreferenced: it acts only when something keeps the loop alive beyond the limit, which is a defect worth a line.
function watchLoop(log: Logger | undefined): void {
  setTimeout(() => {
    log?.fatal({ resources: process.getActiveResourcesInfo() }, 'still busy after the time to stop; leaving');
    process.exit(1);
  }, stopLimitMs).unref();
}

/** How long what was closed may still hold the event loop. */
const emptyWithinMs = 2000;

// Unreferenced. A gRPC channel that is closed while it connects keeps its socket until the system gives the attempt up,
// which for an address that is gone takes minutes; everything of ours is closed by then.
function leaveSoon(): void {
  setTimeout(() => process.exit(), emptyWithinMs).unref();
}

function startFailure(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  return JSON.stringify({ level: 'fatal', message: 'the start failed', err: serializeError(error) });
}
