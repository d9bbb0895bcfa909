import { type Logger as PinoLogger, pino } from 'pino';
import { KnowledgeError } from '../errors/knowledge-error.js';
import { type Output, standardOutput } from './standard-output.js';

/** The log of a process: JSON lines on standard output. Log an error as `{ err: error }`. */
export type Logger = PinoLogger;

const { isoTime } = pino.stdTimeFunctions;

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
      timestamp: isoTime,
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

/**
 * Writes a line at level info whose fields are JSON already, e.g. `"status":200`. It costs a fifth of `log.info`, for
 * lines of every request. The fields are not redacted, so they must be known to hold no secret.
 */
export function writeInfoLine(log: Logger, fields: string, message: string): void {
  if (!log.isLevelEnabled('info')) return;
  const { [pino.symbols.streamSym]: stream, [pino.symbols.chindingsSym]: bindings } = log as unknown as Inside;
  stream.write(`{"level":"info"${isoTime()}${bindings},${fields},"message":"${message}"}\n`);
}

/** The parts of a pino logger behind its public symbols: its output, and its bindings as JSON. */
interface Inside {
  readonly [pino.symbols.streamSym]: { write(line: string): void };
  readonly [pino.symbols.chindingsSym]: string;
}

/** Formats one JSON log line for people: time, level, process, message, then the rest as key=value. */
export function prettyLine(line: string): string {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return line;
  }
  const { time, level, name, message, err, ...rest } = entry;
  const facts = Object.entries(rest).map(([key, value]) => `${key}=${shown(value)}`);
  const head = `${String(time).slice(11, 23)} ${String(level).toUpperCase().padEnd(5)} ${String(name)}`;
  const stack = err === undefined ? '' : `\n${stackOf(err)}`;
  return `${[head, message, ...facts].filter((part) => part !== undefined).join('  ')}${stack}\n`;
}

function shown(value: unknown) {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function stackOf(err: unknown): string {
  if (typeof err !== 'object' || err === null) return `    ${String(err)}`;
  const { stack, message, cause } = err as { stack?: string; message?: string; cause?: unknown };
  const own = (stack ?? message ?? '').replace(/^/gm, '    ');
  return cause === undefined ? own : `${own}\n    caused by\n${stackOf(cause)}`;
}

const censor = '[redacted]';

// Names of secrets and addresses, in snake case and camel case.
const redactedNames: ReadonlySet<string> = new Set([
  'access_key',
  'accessKey',
  'authorization',
  'code',
  'device_code',
  'deviceCode',
  'email',
  'key',
  'password',
  'token',
  'user_code',
  'userCode',
]);

// An object that is nested deeper than this is logged as `[deep]`.
const maxDepth = 4;

/**
 * Removes secrets and addresses from the fields of a log line. If it finds none, it returns the same object. pino's own
 * `redact` would make a line five times as expensive.
 */
function redact(facts: Record<string, unknown>, depth = 0) {
  let cleaned: Record<string, unknown> | undefined;
  for (const name in facts) {
    const value = facts[name];
    const shown = redactedNames.has(name) && value !== undefined ? censor : redactValue(value, depth);
    if (shown === value) continue;
    cleaned ??= { ...facts };
    cleaned[name] = shown;
  }
  return cleaned ?? facts;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  if (depth >= maxDepth) return '[deep]';
  if (!Array.isArray(value)) return isPlain(value) ? redact(value, depth + 1) : value;
  const items = value.map((item: unknown) => redactValue(item, depth + 1));
  return items.some((item, at) => item !== value[at]) ? items : value;
}

function isPlain(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The form of an error in the log. The code is called `reason`, since fields named `code` are redacted. */
export interface SerializedError {
  type: string;
  message: string;
  reason?: string | number;
  stack?: string;
  cause?: SerializedError | string;
}

// A longer chain of causes must be a loop.
const maxCauses = 8;

/** Serializes an error and its chain of causes. It leaves out other properties, since they may contain user data. */
export function serializeError(error: unknown, depth = 0): SerializedError | string {
  if (!(error instanceof Error)) return typeof error === 'string' ? error : `a thrown ${typeof error}`;
  const { code } = error as { code?: unknown };
  const reason = error instanceof KnowledgeError ? error.code : code;
  return {
    type: error.name,
    message: error.message,
    ...(typeof reason === 'string' || typeof reason === 'number' ? { reason } : {}),
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(error.cause === undefined || depth >= maxCauses ? {} : { cause: serializeError(error.cause, depth + 1) }),
  };
}
