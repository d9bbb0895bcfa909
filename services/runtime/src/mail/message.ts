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

interface SendOptions {
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

/** The stages of a delivery, in their order. */
export type SmtpStage = keyof typeof stageLimitsMs;

/**
 * How long each stage may take: RFC 5321, section 4.5.3.2. It has no limit for connections, TLS and the log-in; a
 * server that works needs seconds for the first two.
 */
export const stageLimitsMs = {
  CONNECT: 30_000,
  GREETING: 300_000,
  EHLO: 300_000,
  STARTTLS: 30_000,
  AUTH: 300_000,
  'MAIL FROM': 300_000,
  'RCPT TO': 300_000,
  DATA: 120_000,
  /** From the `354` to the final dot. The limit is for each block, and a mail of ours is one. */
  TEXT: 180_000,
  /** The response to the final dot. Only in this stage may the server have taken a mail without telling us. */
  DOT: 600_000,
};

/** The enhanced status codes that are about the recipient alone: RFC 3463 and the registry of IANA for such codes. */
const recipientCodes = new Set([
  '5.1.1', // Bad destination mailbox address
  '5.1.2', // Bad destination system address
  '5.1.3', // Bad destination mailbox address syntax
  '5.1.4', // Destination mailbox address ambiguous
  '5.1.6', // Destination mailbox has moved, no forwarding address
  '5.1.10', // Recipient address has null MX
  '5.2.0', // Other or undefined mailbox status
  '5.2.1', // Mailbox disabled, not accepting messages
  '5.2.2', // Mailbox full
  '5.2.3', // Message length exceeds administrative limit of the mailbox
  '5.2.4', // Mailing list expansion problem
  '5.7.2', // Mailing list expansion prohibited
  '5.7.17', // Mailbox owner has changed
  '5.7.18', // Domain owner has changed
]);

/**
 * Whether a refusal ends a mail for good. 5.1.0 does not, since servers use it for senders too. Without an enhanced
 * code nobody knows whom a refusal is about.
 */
export function isAboutRecipient(stage: SmtpStage, code: string): boolean {
  return (stage === 'RCPT TO' || stage === 'DATA' || stage === 'DOT') && recipientCodes.has(code);
}

/** Reads the status codes at the beginning of a response. The enhanced one may be empty. */
export function statusOf(response: string): { basic: string; enhanced: string } | undefined {
  const match = /^([245]\d\d)(?:[ -]([245]\.\d{1,3}\.\d{1,3})(?!\S))?/.exec(response);
  return match === null ? undefined : { basic: match[1] ?? '', enhanced: match[2] ?? '' };
}

/** The outbox stops trying to send a mail after this time (gateway/PROTOCOL.md#mail-delivery). */
export const giveUpAfterMs = 24 * 3_600_000;

/** The number of times that a mail is sent if the mail server never says whether it accepted it. */
export const mostCopies = 3;

/**
 * The delay before the next attempt: as long as the mail has been tried, within these limits. So the first delays
 * double. Without a server they stay short, so that mails leave within a minute of its return (SECURITY.md#mail).
 */
const limitsMs = {
  deferred: [5000, 1_800_000],
  held: [5000, 1_800_000],
  unreachable: [5000, 20_000],
  unknown: [600_000, 3_600_000],
} satisfies Partial<Record<SendOutcome['kind'], readonly [number, number]>>;

/** Calculates the delay, with a random part of up to a half. */
export function retryDelayMs(kind: keyof typeof limitsMs, triedMs: number, random = Math.random()): number {
  const [least, most] = limitsMs[kind];
  return Math.round(Math.min(Math.max(triedMs, least), most) * (1 + random * 0.5));
}
