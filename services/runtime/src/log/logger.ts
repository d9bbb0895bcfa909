import { type Logger as PinoLogger, pino } from 'pino';
import { prettyLine } from './pretty-line.js';
import { redact } from './redact.js';
import { serializeError } from './serialize-error.js';
import { type Output, standardOutput } from './standard-output.js';

/** The log of a process: JSON lines on standard output. Log an error as `{ err: error }`. */
export type Logger = PinoLogger;

export interface LoggerOptions {
  /** The process, e.g. `content`. */
  name: string;
  level?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  /** Lines for people instead of JSON. */
  pretty?: boolean;
  /** Gets the lines at once instead of standard output, for tests. */
  destination?: { write(line: string): void };
}

/**
 * Makes a log that costs little per request. It collects lines and writes them after 200 ms at the latest, at a fatal
 * line and at exit. Values whose names stand for secrets or addresses are redacted at any depth.
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
  // pino's formatters do not see the bindings of child loggers, so `child` is wrapped. Children inherit the wrapper.
  const { child } = log;
  const redactedChild = function (this: Logger, bindings: Record<string, unknown>, options?: object): unknown {
    return Reflect.apply(child, this, [redact(bindings), options]);
  };
  log.child = redactedChild as Logger['child'];
  return log;
}

/** Writes out the collected lines. */
export function flushLog(log: Logger): Promise<void> {
  return new Promise((resolve) => {
    log.flush(() => resolve());
  });
}

let latestMs = 0;
let latestTime = '';

// Like pino's isoTime, but formatted only once per millisecond, since many lines share one.
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
