import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeskError } from '../desk-error.js';
import { type PerService, perService } from './services.js';

/** The addresses of a running system, which a local start writes to `run.json` (deploy/local/README.md). */
export interface RunFile {
  readonly path: string;
  readonly grpc: PerService<string | undefined>;
  readonly gateway: string | undefined;
  readonly mailbox: string | undefined;
  readonly desk: string | undefined;
}

/**
 * Reads the run file of a data directory. Undefined if there is no file, because then no system runs.
 *
 * @throws DeskError if the file exists and cannot be read.
 */
export function readRunFile(directory: string): RunFile | undefined {
  const path = join(directory, 'run.json');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new DeskError('unavailable', `${path} cannot be read (${code}).`, { cause: error });
  }
  const run = parse(text);
  if (run === undefined) throw new DeskError('unavailable', `${path} is not the run.json of a local start.`);
  const grpc = record(run['grpc']) ?? {};
  return {
    path,
    grpc: perService((name) => string(grpc[name])),
    gateway: string(run['gateway']),
    mailbox: string(run['mailbox']),
    desk: string(run['desk']),
  };
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return record(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function string(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
