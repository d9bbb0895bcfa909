import type { Environment } from '@knowledge/runtime/client';

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
