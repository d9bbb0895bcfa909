import { type Logger as PinoLogger, pino } from 'pino';
import { prettyLine } from './pretty-line.js';
import { redact } from './redact.js';
import { serializeError } from './serialize-error.js';
import { type Output, standardOutput } from './standard-output.js';
import { timeField } from './time-field.js';

/** The log of a process: JSON lines on standard output. Log an error as `{ err: error }`. */
export type Logger = PinoLogger;

export interface LoggerOptions {
  /** The name of the process, e.g. `content`. */
  name: string;
  level?: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  /** Writes lines for people instead of JSON. */
  pretty?: boolean;
  /** Receives the lines in place of standard output, without delay. Tests use it. */
  destination?: { write(line: string): void };
}

/**
 * Makes a log that costs little per request. It collects lines and writes them after at most 200 ms. A fatal line and
 * the exit of the process also write them. Values with names of secrets or addresses are redacted at any depth.
 */
export function createLogger({ name, level = 'info', pretty = false, destination }: LoggerOptions): Logger {
  const out = destination ?? (pretty ? prettyOutput() : standardOutput());
  const log = pino(
    {
      name,
      level,
      base: {},
      messageKey: 'message',
      timestamp: timeField,
      formatters: { level: (label) => ({ level: label }), log: (facts) => redact(facts) },
      serializers: { err: (error: unknown) => serializeError(error) },
    },
    out,
  );
  // pino's formatters do not see the bindings of child loggers, so this wraps `child`. Children inherit the wrapper.
  const { child } = log;
  const redactedChild = function (this: Logger, bindings: Record<string, unknown>, options?: object): unknown {
    return Reflect.apply(child, this, [redact(bindings), options]);
  };
  log.child = redactedChild as Logger['child'];
  return log;
}

/** Writes all collected lines to the output. */
export function flushLog(log: Logger): Promise<void> {
  return new Promise((resolve) => {
    log.flush(() => resolve());
  });
}

function prettyOutput(): Output {
  const output = standardOutput();
  return { ...output, write: (line) => output.write(prettyLine(line)) };
}
