import { recordedTrace } from '../telemetry/traceparent.js';
import type { MailContent } from './message.js';

/**
 * One mail as it is kept: a part of the document whose change it tells of, recorded in the very write that decides
 * (gateway/PROTOCOL.md#mail-delivery, ARCHITECTURE.md#outbox). What it says is composed when it is sent.
 */
export interface OutboxMail {
  /** A UUID; `Message-ID` is made of it. */
  id: string;
  /** What it is for, e.g. `confirmation`; the service composes by it. */
  purpose: string;
  state: MailState;
  /** How often it was claimed; the fencing number of a claim. */
  attempts: number;
  recordedAt: Date;
  /** While pending: when it is tried next. A claimed mail is due again when its lease ends. */
  dueAt: Date;
  /** When the mail server took it; null until then. */
  sentAt: Date | null;
  /** The trace of the request that caused it; only where that is recorded. */
  traceparent?: string;
}

/** `cancelled` is a mail that nobody needs any more, found so before it was sent. */
export type MailState = 'pending' | 'sent' | 'refused' | 'cancelled';

/** A mail to be recorded with the change that needs it, in the trace of the call that makes it. */
export function newMail(id: string, purpose: string, now: Date, traceparent?: string): OutboxMail {
  const mail: OutboxMail = { id, purpose, state: 'pending', attempts: 0, recordedAt: now, dueAt: now, sentAt: null };
  const recorded = recordedTrace(traceparent);
  return recorded === undefined ? mail : { ...mail, traceparent: recorded };
}

/**
 * When a document with mails needs the outbox: the first time that a pending one is due, null if none is pending. Kept
 * beside the mails as `mailsDueAt`, in the same write.
 */
export function mailsDueAt(mails: readonly OutboxMail[]): Date | null {
  const due = mails.filter((mail) => mail.state === 'pending').map((mail) => mail.dueAt.getTime());
  return due.length === 0 ? null : new Date(Math.min(...due));
}

/** A mail that a worker may try now, with the document that it belongs to, as of the claim. */
export interface MailClaim<Owner> {
  owner: Owner;
  mail: OutboxMail;
}

/** What a worker writes down after an attempt. */
export type Settlement =
  | { state: 'sent'; at: Date }
  | { state: 'refused'; at: Date }
  | { state: 'cancelled'; at: Date }
  /** Again at `dueAt`. `mayBeSent` if the mail server may have taken it all the same. */
  | { state: 'pending'; dueAt: Date; mayBeSent: boolean };

/** The mails of one service. `createMongoOutbox` keeps them in its documents. */
export interface OutboxStore<Owner> {
  /**
   * Takes the mail that is due longest, by compare-and-set: nobody else gets it before `leaseUntil`, and its `attempts`
   * has grown by one. Undefined if none is due.
   */
  claim(now: Date, leaseUntil: Date, signal: AbortSignal): Promise<MailClaim<Owner> | undefined>;
  /** Writes an outcome unless somebody claimed the mail since; tells whether it was written. */
  settle(claim: MailClaim<Owner>, settlement: Settlement, signal: AbortSignal): Promise<boolean>;
  /** What is not sent yet. */
  backlog(signal: AbortSignal): Promise<Backlog>;
}

/** The mails that are not sent yet. */
export interface Backlog {
  /** How many, counted up to the documents of 10,000. */
  pending: number;
  /** When the oldest was recorded, and when the first is due; absent if there is none. */
  recordedAt?: Date | undefined;
  dueAt?: Date | undefined;
}

/**
 * Composes a claimed mail just before it is sent; may write what must be known before (the hash of a code). Gives undefined
 * if it is not wanted any more. What it throws leaves the mail to the next attempt.
 */
export type ComposeMail<Owner> = (
  claim: MailClaim<Owner>,
  signal: AbortSignal,
) => Promise<(MailContent & { to: string }) | undefined>;
