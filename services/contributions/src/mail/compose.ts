import type { MailContent, OutboxMail } from '@knowledge/runtime/mail';
import type { Contribution, Notice } from '../domain/contribution.js';
import { composeNotice, type PublicUrls } from './notices.js';

/** The mail that was recorded with a contribution, as it goes out now; undefined if it is overtaken. */
export function composeMail(
  contribution: Contribution,
  { purpose, recordedAt }: OutboxMail,
  urls: PublicUrls,
): (MailContent & { to: string }) | undefined {
  if (!isNotice(purpose)) throw new TypeError(`No contribution sends a mail for ${purpose}.`);
  if (!isStillTrue(purpose, contribution)) return undefined;
  const transition = contribution.history.findLast(
    ({ to, at }) => to === purpose && at.getTime() === recordedAt.getTime(),
  );
  return { to: contribution.email, ...composeNotice(purpose, contribution, transition, urls) };
}

const notices: Readonly<Record<Notice, true>> = { published: true, retracted: true, rejected: true, answered: true };

function isNotice(purpose: string): purpose is Notice {
  return Object.hasOwn(notices, purpose);
}

// A publication that was taken back before its mail left is not told: its link would lead nowhere.
function isStillTrue(notice: Notice, { email, state }: Contribution): boolean {
  return email !== '' && (notice !== 'published' || state === 'published');
}
