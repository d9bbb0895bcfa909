import type { CallContext } from '@knowledge/runtime';

/** A mail that the limits count. */
export interface MailUnit {
  /**
   * The purpose of the mail. Each purpose has separate limits, so requests from strangers never prevent a link to the
   * access page.
   */
  kind: 'authorization' | 'link';
  /** A new UUID. A repeated call with the same UUID is counted once. */
  id: string;
  email: string;
  /** The ceilings of a mail that a stranger causes. The domain is undefined if none holds for it. */
  ceilings?: { domain: string | undefined };
  /** The IP address of the client; empty if unknown. */
  address: string;
}

/** Counts mails for the limits of gateway/PROTOCOL.md#authorization-limits, through the quota service. */
export interface MailLimits {
  /**
   * Counts one mail against the limits of the mailbox and of the address, or against neither. Without `keep` the quota
   * service gives it back within a minute.
   *
   * @throws KnowledgeError `rate_limited`, or `unavailable` if the quota service does not respond.
   */
  take(unit: MailUnit, call: CallContext): Promise<void>;
  /** Makes the charge permanent. Call it when the mail is stored. */
  keep(unit: Pick<MailUnit, 'id'>): void;
}
