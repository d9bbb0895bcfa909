import { recordedTrace } from '../telemetry/tracing.js';
import type { MailContent, MailFailure, SendOutcome } from './message.js';

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

/**
 * The time when a document's mails are next due: the earliest of its pending mails, or null. Store it as `mailsDueAt`
 * in the same write as the mails.
 */
export function mailsDueAt(mails: readonly OutboxMail[]): Date | null {
  const due = mails.filter((mail) => mail.state === 'pending').map((mail) => mail.dueAt.getTime());
  return due.length === 0 ? null : new Date(Math.min(...due));
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
