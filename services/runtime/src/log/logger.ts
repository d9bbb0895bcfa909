import { type Logger as PinoLogger, pino } from 'pino';
import { prettyLine } from './pretty-line.js';
import { redact } from './redact.js';
import { serializeError } from './serialize-error.js';
import { type Output, standardOutput } from './standard-output.js';

/** The log of a process: JSON lines on standard output. Log an error as `{ err: error }`. */
export type Logger = PinoLogger;

/** How a log is made. */
export interface LoggerOptions {
  /** The process, e.g. `content`. */
  name: string;
  level?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  /** Lines for people instead of JSON. */
  pretty?: boolean;
  /** Takes the lines instead of standard output; written at once, for tests. */
  destination?: { write(line: string): void };
}

/**
 * Makes a log that is cheap on the hot path: lines are collected and written together, at the latest after 200 ms, at a
 * fatal line and at exit. Names that carry secrets or addresses are redacted at any depth.
 */
export function createLogger({ name, level = 'info', pretty = false, destination }: LoggerOptions): Logger {
  const out = destination ?? (pretty ? prettyOutput() : standardOutput());
  const log = pino(
    {
      name,
      level,
      base: {},
      messageKey: 'message',
      timestamp: isoTime,
      formatters: { level: (label) => ({ level: label }), log: (facts) => redact(facts) },
      serializers: { err: (error: unknown) => serializeError(error) },
    },
    out,
  );
  // pino's formatters do not see what a child is bound to; children inherit this.
  const { child } = log;
  const redactedChild = function (this: Logger, bindings: Record<string, unknown>, options?: object): unknown {
    return Reflect.apply(child, this, [redact(bindings), options]);
  };
  log.child = redactedChild as Logger['child'];
  return log;
}

/** Writes out what the log still holds. */
export function flushLog(log: Logger): Promise<void> {
  return new Promise((resolve) => {
    log.flush(() => resolve());
  });
}

let latestMs = 0;
let latestTime = '';

// As pino's isoTime, but formatted once a millisecond: on the hot path many lines share one.
function isoTime(): string {
  const now = Date.now();
  if (now !== latestMs) {
    latestMs = now;
    latestTime = `,"time":"${new Date(now).toISOString()}"`;
  }
  return latestTime;
}

function prettyOutput(): Output {
  const output = standardOutput();
  return { ...output, write: (line) => output.write(prettyLine(line)) };
}
