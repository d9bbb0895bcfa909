import type { GetConfirmationResponse } from '@knowledge/proto/knowledge/identity/v1/identity';

/** What the page of a decided or ended request shows. */
export interface RequestView {
  readonly shown: GetConfirmationResponse;
  readonly code: string;
  /** The link to the access page; only right after a confirmation. */
  readonly accessUrl?: string | undefined;
  /** Whether this HTTP request made the decision. */
  readonly justNow?: boolean | undefined;
  /** The number of waiting texts that this HTTP request withdrew; undefined if unknown. */
  readonly withdrawn?: number | undefined;
}
