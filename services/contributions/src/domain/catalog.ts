import type { Contribution, Publication } from './contribution.js';

/** The catalog of published objects. It applies a change only if its revision is greater than the last one. */
export interface Catalog {
  /** Gives the revision that the catalog has afterwards. */
  apply(contribution: Contribution, publication: Publication, signal: AbortSignal): Promise<number>;
}
