/** An error of the desk itself. Errors of a service are KnowledgeErrors. */
export class DeskError extends Error {
  override readonly name = 'DeskError';

  constructor(
    /** A code of the error catalogue if one fits, else one of the desk. */
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The command line is wrong, so nothing was tried (exit code 2). */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** An item that a command refused, with the reason. */
export interface Refusal {
  readonly name: string;
  readonly error: unknown;
}

/** Some of several items were refused (exit code 1). The results of the others are already printed. */
export class PartialFailure extends Error {
  override readonly name = 'PartialFailure';

  constructor(readonly refusals: readonly Refusal[]) {
    super(`${refusals.length} were refused.`);
  }
}
