import type { CallContext } from '@knowledge/runtime';

/** A mail that counts against the limits. */
export interface MailUnit {
  /**
   * The purpose of the mail; each kind has limits of its own. So requests from strangers never prevent a renewal or a
   * link to the access page.
   */
  kind: 'authorization' | 'renewal' | 'link';
  /** A fresh UUID. Sending the same one again counts once. */
  id: string;
  email: string;
  /** The IP address of the client; empty if unknown. */
  address: string;
}

/** The limits of gateway/PROTOCOL.md#authorization-limits, which the quota service counts. */
export interface MailLimits {
  /**
   * Counts one mail against the mailbox and the address, or against neither. The quota service gives it back within a
   * minute unless `keep` follows.
   *
   * @throws KnowledgeError `rate_limited`, or `unavailable` if it cannot be counted.
   */
  take(unit: MailUnit, call: CallContext): Promise<void>;
  /** Keeps the mail counted, once it is recorded. */
  keep(unit: Pick<MailUnit, 'id'>): void;
}
