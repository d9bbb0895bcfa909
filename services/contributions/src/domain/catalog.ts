import type { Contribution, Publication } from './contribution.js';

/**
 * The catalog of published objects. It applies a change only if the revision is higher than that of
 * the last change.
 */
export interface Catalog {
  /** Publishes or retracts a contribution. Returns the revision that the catalog then has. */
  apply(contribution: Contribution, publication: Publication, signal: AbortSignal): Promise<number>;
}
