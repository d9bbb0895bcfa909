import type { Environment } from '@knowledge/runtime';

/** An output stream. Only a terminal has a size. */
export interface Output extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** An input stream. Only a terminal can deliver single keys. */
export interface Input extends NodeJS.ReadableStream {
  readonly isTTY?: boolean;
  /** Whether the input has ended, for example by Ctrl-D. */
  readonly readableEnded?: boolean;
  setRawMode?(raw: boolean): unknown;
}

/** What a command may use of its process: environment, streams and interruption. */
export interface Host {
  readonly env: Environment;
  /** Relative paths start here. */
  readonly cwd: string;
  readonly stdin: Input;
  /** Only the result. */
  readonly stdout: Output;
  /** Progress, notes, questions and errors. */
  readonly stderr: Output;
  /** Aborts on Ctrl-C. */
  readonly interrupted: AbortSignal;
}
