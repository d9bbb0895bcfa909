import type { PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';

/** The service's response for one file. */
export interface PutResult {
  readonly outcome: PutOutcome;
  /** A note for the author of the file. */
  readonly note?: string | undefined;
}
