import type { Contribution, Publication } from './contribution.js';

/** The catalog of published objects. It takes a change only if its revision is greater than that of the last. */
export interface Catalog {
  /** Gives the revision that the catalog has after it. */
  apply(contribution: Contribution, publication: Publication, signal: AbortSignal): Promise<number>;
}
