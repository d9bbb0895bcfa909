import { recordedTrace } from '../telemetry/traceparent.js';
import type { MailContent } from './message.js';

/**
 * One mail, stored inside the document whose change causes it and in the same write (ARCHITECTURE.md#outbox). Its text
 * is composed only when it is sent (gateway/PROTOCOL.md#mail-delivery).
 */
export interface OutboxMail {
  /** A UUID, used in the `Message-ID`. */
  id: string;
  /** Its purpose, e.g. `confirmation`; the service composes the text by it. */
  purpose: string;
  state: MailState;
  /** How often it was claimed. An expired claim is recognised by its lower number. */
  attempts: number;
  recordedAt: Date;
  /** While pending: the time of the next attempt. A claimed mail is due again when its claim expires. */
  dueAt: Date;
  /** When the mail server accepted it; null until then. */
  sentAt: Date | null;
  /** The trace of the request that caused it, if that trace is recorded. */
  traceparent?: string;
}

/** `cancelled` means that the mail was no longer needed when it was about to be sent. */
export type MailState = 'pending' | 'sent' | 'refused' | 'cancelled';

/** Makes a mail to store with the change that causes it. */
export function newMail(id: string, purpose: string, now: Date, traceparent?: string): OutboxMail {
  const mail: OutboxMail = { id, purpose, state: 'pending', attempts: 0, recordedAt: now, dueAt: now, sentAt: null };
  const recorded = recordedTrace(traceparent);
  return recorded === undefined ? mail : { ...mail, traceparent: recorded };
}

/**
 * When a document with mails is next due: the earliest time of its pending mails, or null. Store it as `mailsDueAt` in
 * the same write as the mails.
 */
export function mailsDueAt(mails: readonly OutboxMail[]): Date | null {
  const due = mails.filter((mail) => mail.state === 'pending').map((mail) => mail.dueAt.getTime());
  return due.length === 0 ? null : new Date(Math.min(...due));
}

/** A mail that a worker has claimed, with its document as of the claim. */
export interface MailClaim<Owner> {
  owner: Owner;
  mail: OutboxMail;
}

/** The result of an attempt, as the worker stores it. */
export type DeliveryResult =
  | { state: 'sent'; at: Date }
  | { state: 'refused'; at: Date }
  | { state: 'cancelled'; at: Date }
  /** Try again at `dueAt`. With `mayBeSent` the mail server may already have accepted it. */
  | { state: 'pending'; dueAt: Date; mayBeSent: boolean };

/** The mails of one service; `createMongoOutbox` implements it. */
export interface OutboxStore<Owner> {
  /**
   * Claims the mail that has been due longest and adds 1 to its `attempts`. No other worker gets it before
   * `leaseUntil`. Undefined if none is due.
   */
  claim(now: Date, leaseUntil: Date, signal: AbortSignal): Promise<MailClaim<Owner> | undefined>;
  /** Stores a result unless another worker has claimed the mail since. Returns whether it was stored. */
  recordResult(claim: MailClaim<Owner>, settlement: DeliveryResult, signal: AbortSignal): Promise<boolean>;
  backlog(signal: AbortSignal): Promise<Backlog>;
}

/** The mails that are not sent yet. */
export interface Backlog {
  /** How many mails, counted in at most 10,000 documents. */
  pending: number;
  /** When the oldest one was recorded and the first one is due; absent if there are none. */
  recordedAt?: Date | undefined;
  dueAt?: Date | undefined;
}

/**
 * Composes a claimed mail just before it is sent, or gives undefined if it is no longer needed. It may first store what
 * the mail refers to, such as the hash of a code. If it throws, the mail waits for the next attempt.
 */
export type ComposeMail<Owner> = (
  claim: MailClaim<Owner>,
  signal: AbortSignal,
) => Promise<(MailContent & { to: string }) | undefined>;
