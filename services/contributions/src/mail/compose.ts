import type { MailContent, OutboxMail } from '@knowledge/runtime/mail';
import type { Contribution, Notice } from '../domain/contribution.js';
import { composeNotice, type PublicUrls } from './notices.js';

/** Makes a key for a person's own page; undefined for somebody who has none. */
export type MakeAccessKey = (email: string, signal: AbortSignal) => Promise<string | undefined>;

/**
 * The mail that was recorded with a contribution, as it goes out now; undefined if it is overtaken.
 *
 * @throws KnowledgeError `unavailable` if no key for the link can be made now; the outbox tries again.
 */
export async function composeMail(
  contribution: Contribution,
  { purpose, recordedAt }: OutboxMail,
  { urls, makeAccessKey }: { urls: PublicUrls; makeAccessKey: MakeAccessKey },
  signal: AbortSignal,
): Promise<(MailContent & { to: string }) | undefined> {
  if (!isNotice(purpose)) throw new TypeError(`No contribution sends a mail for ${purpose}.`);
  if (!isStillTrue(purpose, contribution)) return undefined;
  const transition = contribution.history.findLast(
    ({ to, at }) => to === stateOf[purpose] && at.getTime() === recordedAt.getTime(),
  );
  const key = await makeAccessKey(contribution.email, signal);
  const message = composeNotice(purpose, { contribution, transition, urls, key });
  return { to: contribution.email, ...message };
}

/** The state that each mail tells of. */
const stateOf: Readonly<Record<Notice, string>> = {
  received: 'pending_review',
  published: 'published',
  retracted: 'retracted',
  rejected: 'rejected',
  answered: 'answered',
  closed: 'closed',
};

function isNotice(purpose: string): purpose is Notice {
  return Object.hasOwn(stateOf, purpose);
}

// A publication that was taken back before its mail left is not told: its link would lead nowhere. Nor is an arrival that a
// later mail tells of.
function isStillTrue(notice: Notice, { email, state }: Contribution): boolean {
  if (email === '') return false;
  switch (notice) {
    case 'published':
      return state === 'published';
    case 'received':
      return state === 'pending_review' || state === 'approved';
    case 'retracted':
    case 'rejected':
    case 'answered':
    case 'closed':
      return true;
  }
}
