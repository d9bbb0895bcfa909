import type { Environment } from '@knowledge/runtime';

/** Where text goes. A terminal has a width and may be asked. */
export interface Output extends NodeJS.WritableStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** The process around a command: everything that it may read, write or be ended by. */
export interface Host {
  readonly env: Environment;
  /** Relative paths start here. */
  readonly cwd: string;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** The result, and nothing else. */
  readonly stdout: Output;
  /** Progress, notes, questions and errors. */
  readonly stderr: Output;
  /** Aborts when the user wants no more (Ctrl-C). */
  readonly interrupted: AbortSignal;
}
