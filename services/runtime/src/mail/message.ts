import type { Operator } from '../operator/operator.js';

/** The contents of a mail in both formats. */
export interface MailBody {
  /** The same for all mails of one purpose; it contains no text by other people. */
  subject: string;
  text: string;
  html: string;
}

/** A rendered mail, without a recipient and not yet signed. */
export interface MailContent extends MailBody {
  /** The mail with the operator named in its footer. The outbox signs every mail. */
  signedBy(operator: Operator): MailBody;
}

/** One mail to one mailbox. */
export interface MailMessage extends MailBody {
  /** A plain address. Anything else is refused without contacting a server. */
  to: string;
  /**
   * The part of the `Message-ID` before the `@`, of `[A-Za-z0-9._-]` only. All attempts at one mail share it, so that
   * mailboxes can drop repeats.
   */
  id: string;
}

/** The result of one attempt. */
export type SendOutcome =
  /** The mail server accepted it. */
  | { kind: 'accepted' }
  /** The mail server said 5xx to this recipient or message, so another attempt is pointless. */
  | { kind: 'refused'; responseCode: number | undefined }
  /** The mail server said 4xx: not now. With `handedOver` it already had the mail and may have kept it. */
  | { kind: 'deferred'; responseCode: number; handedOver: boolean }
  /** No mail server answered properly: no connection, no TLS or no log-in. */
  | { kind: 'unreachable'; reason: string }
  /** The connection was lost after the mail was handed over, so it may have been accepted. */
  | { kind: 'unknown'; reason: string };

export interface MailTransport {
  /** Never throws because of a mail server; takes at most 30 s. */
  send(message: MailMessage, signal?: AbortSignal): Promise<SendOutcome>;
  close(): void;
}
