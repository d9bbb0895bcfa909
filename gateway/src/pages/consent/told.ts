import type { GetConfirmationResponse } from '@knowledge/proto/knowledge/identity/v1/identity';

/** A request with its outcome, as its page shows it. */
export interface Told {
  readonly shown: GetConfirmationResponse;
  readonly code: string;
  /** The human's own link; only right after a confirmation. */
  readonly accessUrl?: string | undefined;
  /** Whether the human decided with this request. */
  readonly justNow?: boolean | undefined;
  /** How many texts that waited for review this request withdrew; undefined where that is not known. */
  readonly withdrawn?: number | undefined;
}
