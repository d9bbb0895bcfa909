import type { MailContent, OutboxMail } from '@knowledge/runtime/mail';
import type { Contribution, Notice } from '../domain/contribution.js';
import { composeNotice, type MailFacts, type PublicUrls } from './notices.js';

/** Makes an access key for a link. Undefined for a person without an access page. */
export type MakeAccessKey = (email: string, signal: AbortSignal) => Promise<MailFacts['key']>;

/**
 * Composes a mail just before it is sent. Undefined if the mail is outdated.
 *
 * @throws KnowledgeError `unavailable` if no access key can be made now. The outbox then tries again.
 */
export async function composeMail(
  contribution: Contribution,
  { purpose, recordedAt }: OutboxMail,
  { urls, makeAccessKey }: { urls: PublicUrls; makeAccessKey: MakeAccessKey },
  signal: AbortSignal,
): Promise<(MailContent & { to: string }) | undefined> {
  if (!isNotice(purpose)) throw new TypeError(`No contribution sends a mail for ${purpose}.`);
  const transition = contribution.history.findLast(
    ({ to, at }) => to === stateOf[purpose] && at.getTime() === recordedAt.getTime(),
  );
  if (!isStillTrue(purpose, contribution, transition?.revision)) return undefined;
  const key = await makeAccessKey(contribution.email, signal);
  const message = composeNotice(purpose, { contribution, transition, urls, key });
  return { to: contribution.email, ...message };
}

/** The state of the contribution that each mail reports. */
const stateOf: Readonly<Record<Notice, string>> = {
  received: 'pending_review',
  changes_requested: 'changes_requested',
  edited: 'published',
  edit_proposed: 'proposed',
  published: 'published',
  retracted: 'retracted',
  rejected: 'rejected',
  reopened: 'pending_review',
  answered: 'answered',
  closed: 'closed',
};

function isNotice(purpose: string): purpose is Notice {
  return Object.hasOwn(stateOf, purpose);
}

// Whether a mail is still needed. The link of a retracted object would not work, and a later mail replaces `received`.
function isStillTrue(notice: Notice, { email, state, proposal }: Contribution, revision = 0): boolean {
  if (email === '') return false;
  switch (notice) {
    case 'edit_proposed':
      return proposal?.revision === revision;
    case 'edited':
    case 'published':
      return state === 'published';
    case 'changes_requested':
      return state === 'changes_requested';
    case 'received':
    case 'reopened':
      return state === 'pending_review' || state === 'approved';
    case 'rejected':
    case 'closed':
      return state === notice;
    case 'retracted':
    case 'answered':
      return true;
  }
}
