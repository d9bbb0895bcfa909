import {
  type Attribution,
  actors,
  formatUtcTime,
  KnowledgeError,
  later,
  mailboxOf,
  ownerNetworkOf,
  refuse,
} from '@knowledge/runtime';
import { areAlike } from '@knowledge/runtime/names';
import type { Authorization } from './authorization.js';

/** Stops all authorization requests to a mailbox. That of a staff member also stops renewals and contributions. */
export interface Block {
  mailbox: string;
  /** Null if the block never ends. */
  until: Date | null;
  /** `human`, or the name of the staff member who made the block. */
  actor: string;
  reason: string;
  createdAt: Date;
  /** Whether the human wants no more links to the access page while nothing but the block is known of them. */
  noLinks?: true;
}

/** The blocks of a mailbox that hold. Neither ends or replaces the other. */
export interface MailboxBlocks {
  /** The human's own refusal. */
  own: Block | undefined;
  staff: Block | undefined;
  /** When the human took the own refusal back, if that was within a day. */
  allowedAt: Date | undefined;
}

export function isOfStaff({ actor }: Pick<Block, 'actor'>): boolean {
  return actor !== actors.human;
}

/**
 * Blocks all requests to a mailbox for this number of days. With 0 the block never ends.
 *
 * @throws KnowledgeError `validation_error` for an invalid number of days.
 */
export function newBlock(email: string, days: number, { actor, at, reason }: Attribution): Block {
  if (!Number.isInteger(days) || days < 0 || days > mostDays) {
    refuse(`days must be 0 to ${mostDays}; 0 means for ever`);
  }
  const until = days === 0 ? null : later(at, days * 86_400_000);
  return { mailbox: mailboxOf(email), until, actor, reason, createdAt: at };
}

const mostDays = 3650;

/** A request to the same mailbox that was decided. */
type DecidedRequest = Pick<Authorization, 'agentName' | 'decidedAt'>;

/** What the human of a mailbox decided about requests that are still stored. */
export interface EarlierDecisions {
  /** Declined requests, newest first, each with the address that it came from; empty if that is unknown. */
  readonly declined: readonly (DecidedRequest & { readonly address: string })[];
  /** The names of agents that have access. */
  readonly agentNames: readonly string[];
}

const quietMs = 24 * 3_600_000;

/**
 * Until when a No of the last day, for this name or this network, keeps a request back. Who turned requests on again
 * since wants them. Undefined if there is none.
 */
export function quietUntil(
  { declined }: EarlierDecisions,
  { agentName, address }: { agentName: string; address: string },
  allowedAt: Date | undefined,
  now: Date,
): Date | undefined {
  const asks = address && ownerNetworkOf(address);
  const last = declined.find(
    (no) =>
      (no.decidedAt?.getTime() ?? 0) > Math.max(now.getTime() - quietMs, allowedAt?.getTime() ?? 0) &&
      (areAlike(no.agentName, agentName) || (asks !== '' && no.address !== '' && asks === ownerNetworkOf(no.address))),
  );
  return last?.decidedAt ? later(last.decidedAt, quietMs) : undefined;
}

/** The refusal of a request in a quiet day (gateway/PROTOCOL.md#request). */
export function refusedAfterNo(until: Date, now: Date): KnowledgeError {
  // The next full minute, since the seconds are not shown.
  const shown = formatUtcTime(new Date(Math.ceil(until.getTime() / 60_000) * 60_000));
  const message = `Your human said no to an agent of this name or network. Until ${shown} no further mail is sent; ask again only if they want you to.`;
  const retryAfterSeconds = Math.ceil((until.getTime() - now.getTime()) / 1000);
  // A day like the limits of a day: only a short wait is worth a Retry-After.
  const isLong = retryAfterSeconds > 3600;
  return new KnowledgeError('rate_limited', message, {
    retryAfterSeconds,
    ...(isLong && { metadata: { window: 'day' } }),
  });
}
