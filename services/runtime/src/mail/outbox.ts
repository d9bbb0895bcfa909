import type { Operator } from '../operator/operator.js';
import { recordedTrace } from '../telemetry/tracing.js';

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

/**
 * One mail. It is stored inside the document whose change causes it, in the same write (services/runtime/DECISIONS.md). The
 * text is composed only when the mail is sent (gateway/PROTOCOL.md#mail-delivery).
 */
export interface OutboxMail<Purpose extends string = string> {
  /** A UUID, which becomes part of the `Message-ID`. */
  id: string;
  /** The purpose of the mail, e.g. `confirmation`. The service composes the text for this purpose. */
  purpose: Purpose;
  state: MailState;
  /** The number of claims so far. A worker's claim has expired if this number has grown since. */
  attempts: number;
  recordedAt: Date;
  /** While the mail is pending: the time of the next attempt, or the time when its claim expires. */
  dueAt: Date;
  /** The time when the mail server accepted the mail; null until then. */
  sentAt: Date | null;
  /** How often the mail was sent without a response to the final dot. Absent: never. */
  copies?: number;
  /** When the first attempt began, or the first since a staff member had it sent again. */
  triedSince?: Date;
  /** The mail that tells this one too, which is cancelled. */
  into?: string;
  /** Why the last attempt failed. Absent once the mail is sent. */
  failure?: StoredFailure;
  /** The trace of the request that caused the mail, if that trace is recorded. */
  traceparent?: string;
}

/** A failure with its kind and its time. */
export type StoredFailure = MailFailure & { kind: Exclude<SendOutcome['kind'], 'accepted' | 'cancelled'>; at: Date };

/**
 * The state of a mail. `cancelled` means that nobody needed the mail any more when it was due; `unknown` that it was
 * sent several times and the mail server never said whether it accepted it.
 */
export type MailState = 'pending' | 'sent' | 'refused' | 'unknown' | 'cancelled';

/** Makes a new mail. Store it in the same write as the change that causes it. */
export function newMail<P extends string>(id: string, purpose: P, now: Date, traceparent?: string): OutboxMail<P> {
  const mail: OutboxMail<P> = { id, purpose, state: 'pending', attempts: 0, recordedAt: now, dueAt: now, sentAt: null };
  const recorded = recordedTrace(traceparent);
  return recorded === undefined ? mail : { ...mail, traceparent: recorded };
}

/** A mail that a worker has claimed, together with its document at the time of the claim. */
export interface MailClaim<Owner> {
  owner: Owner;
  /** The id of the document. */
  ownerId: string;
  mail: OutboxMail;
}

/** The result of an attempt, which the worker stores. */
export interface DeliveryResult {
  state: MailState;
  at: Date;
  /** The time of the next attempt of a pending mail. */
  dueAt?: Date;
  /** How often the mail has been sent without a response, if this attempt adds to it. */
  copies?: number;
  failure?: StoredFailure | undefined;
  /** Whether this attempt's mail may have arrived, so that its link must go on working. */
  mayBeSent: boolean;
}

/** Stores the mails of one service. `createMongoOutbox` implements it. */
export interface OutboxStore<Owner> {
  /**
   * Claims the mail that has been due for the longest time and adds 1 to its `attempts`. Other workers cannot claim it
   * before `claimedUntil`. Returns undefined if no mail is due.
   */
  claim(now: Date, claimedUntil: Date, signal: AbortSignal): Promise<MailClaim<Owner> | undefined>;
  /**
   * Stores a result, unless another worker has claimed the mail since. Returns whether it stored the result. While an
   * attempt lasts, a pending result extends its claim.
   */
  recordResult(claim: MailClaim<Owner>, settlement: DeliveryResult, signal: AbortSignal): Promise<boolean>;
  backlog(signal: AbortSignal): Promise<Backlog>;
  /** The mails that wait after a failure or were given up, the last failure first. */
  failed(signal: AbortSignal): Promise<readonly FailedMail[]>;
  /** Makes a mail due at once, for another 24 hours. Returns its owner; undefined unless it waits or was given up. */
  sendAgain(ownerId: string, mailId: string, now: Date, signal: AbortSignal): Promise<Owner | undefined>;
}

/** A mail that failed, with the id of its document. */
export type FailedMail = OutboxMail & { ownerId: string; failure: StoredFailure };

/** The number and the age of the mails that wait to be sent. */
export interface Backlog {
  /** The number of pending mails in the first 10,000 documents. */
  pending: number;
  /** The number of pending mails that the mail server refuses for a reason that an operator can repair. */
  held: number;
  /** When the oldest pending mail was recorded. `dueAt` is when the first one is due. Both are absent without mails. */
  recordedAt?: Date | undefined;
  dueAt?: Date | undefined;
}

/**
 * Composes a claimed mail just before it is sent. Returns undefined if the mail is no longer needed. It may first store
 * data that the mail contains, such as the hash of a code. If it throws, the mail is tried again later.
 */
export type ComposeMail<Owner> = (
  claim: MailClaim<Owner>,
  signal: AbortSignal,
) => Promise<(MailContent & { to: string }) | undefined>;
