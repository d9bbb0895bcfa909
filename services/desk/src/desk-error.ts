/** What the desk itself could not do; what a service refuses is a KnowledgeError. */
export class DeskError extends Error {
  override readonly name = 'DeskError';

  constructor(
    /** A machine code: one of the catalogue where one fits, else the desk's own. */
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The command line itself is wrong: nothing was tried (exit code 2). */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A thing for which nothing was done, and why. */
export interface Refusal {
  readonly name: string;
  readonly error: unknown;
}

/** Of several things some were refused; what became of the others is shown already (exit code 1). */
export class PartialFailure extends Error {
  override readonly name = 'PartialFailure';

  constructor(readonly refusals: readonly Refusal[]) {
    super(`${refusals.length} were refused.`);
  }
}
