import type { Operator } from '../operator/operator.js';

/** The subject and the text of a mail, as plain text and as HTML. */
export interface MailBody {
  /** The subject, which is the same for all mails of one purpose. It contains no text by other people. */
  subject: string;
  text: string;
  html: string;
}

/** A rendered mail that has no recipient yet and does not name the operator. */
export interface MailContent extends MailBody {
  /** Returns the mail with the operator named in its footer. The outbox calls it for every mail. */
  signedBy(operator: Operator): MailBody;
}

/** One mail to one mailbox. */
export interface MailMessage extends MailBody {
  /** A plain address. The transport refuses any other recipient without contacting a server. */
  to: string;
  /**
   * The part of the `Message-ID` before the `@`, only `[A-Za-z0-9._-]`. All attempts at one mail use the same id, so
   * that mailboxes can drop duplicates.
   */
  id: string;
}

/** The result of one attempt. */
export type SendOutcome =
  /** The mail server accepted the mail. */
  | { kind: 'accepted' }
  /** The mail server responded with 5xx to this recipient or message, so another attempt is pointless. */
  | { kind: 'refused'; responseCode: number | undefined }
  /** The mail server responded with 4xx. With `handedOver` it had already received the mail and may have kept it. */
  | { kind: 'deferred'; responseCode: number; handedOver: boolean }
  /** No usable mail server: the connection, TLS or the log-in failed. */
  | { kind: 'unreachable'; reason: string }
  /** The connection was lost after the mail was sent, so the server may have accepted it. */
  | { kind: 'unknown'; reason: string };

export interface MailTransport {
  /** Sends one mail within 30 s. An error of the mail server is part of the outcome and is never thrown. */
  send(message: MailMessage, signal?: AbortSignal): Promise<SendOutcome>;
  close(): void;
}
