import { pino } from 'pino';
import type { Logger } from './logger.js';
import { timeField } from './time-field.js';

/**
 * Writes a line at level info whose fields are JSON already, e.g. `"status":200`. It costs a fifth of `log.info`, for
 * lines of every request. The fields are not redacted, so they must be known to hold no secret.
 */
export function writeInfoLine(log: Logger, fields: string, message: string): void {
  if (!log.isLevelEnabled('info')) return;
  const { [pino.symbols.streamSym]: stream, [pino.symbols.chindingsSym]: bindings } = log as unknown as Inside;
  stream.write(`{"level":"info"${timeField()}${bindings},${fields},"message":"${message}"}\n`);
}

/** The parts of a pino logger behind its public symbols: its output, and its bindings as JSON. */
interface Inside {
  readonly [pino.symbols.streamSym]: { write(line: string): void };
  readonly [pino.symbols.chindingsSym]: string;
}
