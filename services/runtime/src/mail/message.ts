import type { Operator } from '../operator/operator.js';
import type { SmtpStage } from './stages.js';

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

/** Why an attempt failed. */
export interface MailFailure {
  stage: SmtpStage;
  /** The status codes of the response, or the kind of fault. */
  code: string;
  /** The response of the mail server without addresses, at most 300 characters. */
  words: string;
}

/** The result of one attempt. `handedOver` means that the final dot had left. */
export type SendOutcome =
  /** The mail server accepted the mail. */
  | { kind: 'accepted' }
  /** Nobody needs the mail any more. */
  | { kind: 'cancelled' }
  | {
      /**
       * - `refused`: this recipient never gets a mail.
       * - `held`: the mail server refuses us, our configuration or our text (5xx). An operator can repair it.
       * - `deferred`: it responded with 4xx, or the connection ended before the final dot.
       * - `unreachable`: there was no connection or no greeting. The mail was not composed.
       * - `unknown`: no response came to the final dot, so the mail may have been accepted.
       */
      kind: 'refused' | 'held' | 'deferred' | 'unreachable' | 'unknown';
      failure: MailFailure;
      handedOver: boolean;
    };

export interface SendOptions {
  signal?: AbortSignal;
  /** Called once the final dot has left. */
  onHandOver?: () => void;
}

export interface MailTransport {
  /**
   * Sends one mail, which is composed when the server has sent its greeting. Each stage has its limit (`stageLimitsMs`).
   * Failures of the mail server are outcomes; only `compose` makes it throw.
   */
  send(compose: () => Promise<MailMessage | undefined>, options?: SendOptions): Promise<SendOutcome>;
}
