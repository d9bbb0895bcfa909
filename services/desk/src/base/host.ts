import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Environment } from '@knowledge/runtime/client';
import { UsageError } from './desk-error.js';

/** An output stream. Only a terminal has `columns` and `rows`. */
export interface Output extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** An input stream. Only a terminal has `setRawMode`, with which it delivers single keys. */
export interface Input extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
  /** Whether the input has ended, for example after Ctrl-D. */
  readonly readableEnded?: boolean;
  setRawMode?(raw: boolean): unknown;
}

/** The parts of the process that a command uses, so that tests can replace them. */
export interface Host {
  readonly env: Environment;
  /** The directory where relative paths start. */
  readonly cwd: string;
  readonly stdin: Input;
  /** The output for the result, and for nothing else. */
  readonly stdout: Output;
  /** The output for progress, notes, questions and errors. */
  readonly stderr: Output;
  /** The signal that aborts on Ctrl-C. */
  readonly interrupted: AbortSignal;
}

/** Reads a file that the command line names; `name` is what a message calls it. */
export function readNamedFile({ cwd }: Pick<Host, 'cwd'>, path: string, name = path): Buffer {
  try {
    return readFileSync(resolve(cwd, path));
  } catch (error) {
    throw new UsageError(`${name} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

export function readUtf8(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${name} cannot be read (it is not UTF-8).`);
  }
}
