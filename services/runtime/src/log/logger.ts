import { Writable } from 'node:stream';
import { type Logger as PinoLogger, pino } from 'pino';
import { prettyLine } from './pretty-line.js';
import { serializeError } from './serialize-error.js';

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
 * Makes a log that is cheap on the hot path: lines are collected and written 4 KiB at a time, at the latest after 200 ms,
 * at a fatal line and at exit. Names that carry secrets or addresses are redacted on the first two levels.
 */
export function createLogger({ name, level = 'info', pretty = false, destination }: LoggerOptions): Logger {
  const out = destination ?? (pretty ? prettyOutput() : bufferedOutput());
  return pino(
    {
      name,
      level,
      base: {},
      messageKey: 'message',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (error: unknown) => serializeError(error) },
      redact: { paths: redactedPaths, censor: '[redacted]' },
    },
    out,
  );
}

/** Writes out what the log still holds. */
export function flushLog(log: Logger): Promise<void> {
  return new Promise((resolve) => {
    log.flush(() => resolve());
  });
}

const redactedNames = [
  'authorization',
  'token',
  'code',
  'device_code',
  'deviceCode',
  'user_code',
  'userCode',
  'key',
  'access_key',
  'accessKey',
  'email',
];

const redactedPaths = redactedNames.flatMap((each) => [each, `*.${each}`]);

function bufferedOutput(): ReturnType<typeof pino.destination> {
  return pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 200 });
}

function prettyOutput(): Writable {
  return new Writable({
    decodeStrings: false,
    write(line: string, _encoding, done) {
      process.stdout.write(prettyLine(line));
      done();
    },
  });
}
