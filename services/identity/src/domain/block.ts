import type { Act } from '@knowledge/runtime';
import { KnowledgeError } from '@knowledge/runtime';
import { mailboxOf } from './email.js';

/** A mailbox that agents may ask no more. */
export interface Block {
  /** The address without its plus-tag. */
  mailbox: string;
  /** Null for ever. */
  until: Date | null;
  /** `human`, or who of ours wrote it down. */
  actor: string;
  reason: string;
  createdAt: Date;
}

/**
 * The refusal of all requests for a mailbox, for some days or, with 0, for ever.
 *
 * @throws KnowledgeError `validation_error`.
 */
export function blockFor(email: string, days: number, { actor, at, reason }: Act): Block {
  if (!Number.isInteger(days) || days < 0 || days > mostDays) {
    throw new KnowledgeError('validation_error', `days must be 0 to ${mostDays}; 0 is for ever.`);
  }
  const until = days === 0 ? null : new Date(at.getTime() + days * 86_400_000);
  return { mailbox: mailboxOf(email), until, actor, reason, createdAt: at };
}

const mostDays = 3650;
