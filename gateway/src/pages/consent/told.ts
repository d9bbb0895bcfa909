import type { GetConfirmationResponse } from '@knowledge/proto/knowledge/identity/v1/identity';

/** What became of a request, and how its human came to see it. */
export interface Told {
  readonly shown: GetConfirmationResponse;
  readonly code: string;
  /** The human's own link; only right after a confirmation. */
  readonly accessUrl?: string | undefined;
  /** Whether this very request of the human decided it. */
  readonly justNow?: boolean | undefined;
  /** How many texts that waited for review this request withdrew; undefined where that is not known. */
  readonly withdrawn?: number | undefined;
}
