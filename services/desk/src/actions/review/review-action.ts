import type { ContributionRecord } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { CallOptions } from '@knowledge/runtime/client';
import type { MailKind } from './mail-preview.js';
import type { ModerationClient } from './moderation-client.js';

/** An action of a moderator on a contribution. */
export interface ReviewAction {
  /** The first word of the question to the user, for example `Reject`. */
  readonly verb: string;
  /** A warning that the user reads before the answer. */
  readonly warning: string;
  /** The mail that each human gets. If undefined, no mail is sent and the command line does not ask the user. */
  readonly mail: { readonly kind: MailKind; readonly text: string } | undefined;
  apply(
    moderation: ModerationClient,
    request: ReviewRequest,
    call: CallOptions,
  ): Promise<{ contribution: ContributionRecord | undefined }>;
}

/** What every action says to the service. */
export interface ReviewRequest {
  readonly id: string;
  /** The revision that the moderator saw; 0 for any. */
  readonly expectedRevision: number;
  /** For how long the decision can be undone before it takes effect; 0 or undefined decides at once. */
  readonly holdSeconds?: number;
}
