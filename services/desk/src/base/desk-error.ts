/** An error that the desk itself finds. Errors of services are KnowledgeErrors. */
export class DeskError extends Error {
  override readonly name = 'DeskError';

  constructor(
    /** A code of the error catalogue if one fits, otherwise a code that only the desk uses. */
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** An error in the command line, found before the command did anything (exit code 2). */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** An item that could not be processed, with the reason. */
export interface Refusal {
  readonly name: string;
  readonly error: unknown;
}

/** Whether an error with this code says nothing about other items. */
export function concernsOneThing(code: string): boolean {
  return codesOfOneThing.has(code);
}

const codesOfOneThing: ReadonlySet<string> = new Set(['not_found', 'invalid_state', 'validation_error']);

/** The error after some items of several were refused (exit code 1). The other results are already printed. */
export class PartialFailure extends Error {
  override readonly name = 'PartialFailure';

  constructor(readonly refusals: readonly Refusal[]) {
    super(`${refusals.length} were refused.`);
  }
}
