import type { Attribution } from '@knowledge/runtime';
import { KnowledgeError } from '@knowledge/runtime';
import { mailboxOf } from './email.js';

/** A human's refusal of all authorization requests to a mailbox. */
export interface Block {
  mailbox: string;
  /** Null if the block never ends. */
  until: Date | null;
  /** `human`, or the name of the member of support who made the block. */
  actor: string;
  reason: string;
  createdAt: Date;
}

/**
 * Blocks all requests to a mailbox for this number of days. With 0 the block never ends.
 *
 * @throws KnowledgeError `validation_error` for an invalid number of days.
 */
export function newBlock(email: string, days: number, { actor, at, reason }: Attribution): Block {
  if (!Number.isInteger(days) || days < 0 || days > mostDays) {
    throw new KnowledgeError('validation_error', `days must be 0 to ${mostDays}; 0 means for ever.`);
  }
  const until = days === 0 ? null : new Date(at.getTime() + days * 86_400_000);
  return { mailbox: mailboxOf(email), until, actor, reason, createdAt: at };
}

const mostDays = 3650;
