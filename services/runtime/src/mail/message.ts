import type { Operator } from '../operator/operator.js';

/** What a person reads. */
export interface MailParts {
  /** Constant for its purpose: nothing that a stranger wrote. */
  subject: string;
  text: string;
  html: string;
}

/** What a person gets, without its envelope and before it says who runs the service. */
export interface MailContent extends MailParts {
  /** The same with the operator in its footer; the outbox signs every mail. */
  signedBy(operator: Operator): MailParts;
}

/** One mail to one mailbox. */
export interface MailMessage extends MailParts {
  /** A plain address; anything else is refused before a server is asked. */
  to: string;
  /**
   * The part of the `Message-ID` before the `@`: the same for every attempt at the same mail, so that a mailbox can tell
   * a repeat. `[A-Za-z0-9._-]` only.
   */
  id: string;
}

/** What became of one attempt. */
export type SendOutcome =
  /** The mail server took it. */
  | { kind: 'accepted' }
  /** The mail server said 5xx to this recipient or this message: trying again is pointless. */
  | { kind: 'refused'; responseCode: number | undefined }
  /** The mail server said 4xx: not now. `handedOver` if it had the mail by then, so that it may have kept it all the same. */
  | { kind: 'deferred'; responseCode: number; handedOver: boolean }
  /** No mail server answered, or not as it should (no connection, no TLS, no log-in). */
  | { kind: 'unreachable'; reason: string }
  /** The connection was lost after the mail was handed over, so that it may have been taken. */
  | { kind: 'unknown'; reason: string };

/** Where mails leave the process. */
export interface MailTransport {
  /** Never throws for what a mail server does; takes at most 30 s. */
  send(message: MailMessage, signal?: AbortSignal): Promise<SendOutcome>;
  close(): void;
}
