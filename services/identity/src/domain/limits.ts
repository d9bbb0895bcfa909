import type { CallContext } from '@knowledge/runtime';

/** One mail that somebody asks for. */
export interface MailUnit {
  /**
   * What the mail brings. Each kind is counted apart, so that no stranger's requests keep an agent with a token from its
   * renewal, or a human from their own page.
   */
  kind: 'authorization' | 'renewal' | 'link';
  /** A fresh UUID; the same one again counts once. */
  id: string;
  email: string;
  /** The address of the client; empty if it is not known. */
  address: string;
}

/** The limits of gateway/PROTOCOL.md#authorization-limits, counted elsewhere. */
export interface AuthorizeLimits {
  /**
   * Takes one mail from what the mailbox and the address have left, both or none. It is given back within a minute unless it
   * is kept.
   *
   * @throws KnowledgeError `rate_limited`, or `unavailable` if it cannot be counted.
   */
  take(unit: MailUnit, call: CallContext): Promise<void>;
  /** The mail is recorded: it stays counted. */
  keep(unit: Pick<MailUnit, 'id'>): void;
}
