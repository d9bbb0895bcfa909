import type { Environment } from '@knowledge/runtime';

/** Where text goes. A terminal has a size and may be asked. */
export interface Output extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** Where text comes from. A terminal can give single keys. */
export interface Input extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
  /** Whether it came to its end, as with Ctrl-D. */
  readonly readableEnded?: boolean;
  setRawMode?(raw: boolean): unknown;
}

/** The process around a command: everything that it may read, write or be ended by. */
export interface Host {
  readonly env: Environment;
  /** Relative paths start here. */
  readonly cwd: string;
  readonly stdin: Input;
  /** The result, and nothing else. */
  readonly stdout: Output;
  /** Progress, notes, questions and errors. */
  readonly stderr: Output;
  /** Aborts when the user wants no more (Ctrl-C). */
  readonly interrupted: AbortSignal;
}
