import { contest, type MailBlock, type MailContent, type OutboxMail, renderMail } from '@knowledge/runtime/mail';
import { shorten } from '../base/text.js';
import type { Contribution, Notice } from '../domain/contribution.js';
import { editsSinceAgent } from '../domain/edit.js';
import { isJoined, type JoinedMails, type Told } from '../store/people.js';
import { paragraph, quote, withoutLinks, wordsFor, wordsOf } from './blocks.js';
import { composeNotice, endedAgents, type MailFacts, ownPage, type PublicUrls, type Reported } from './notices.js';

/** Makes an access key for a link. Undefined for a person without an access page. */
export type MakeAccessKey = (email: string, signal: AbortSignal) => Promise<MailFacts['key']>;

/**
 * Composes a mail just before it is sent. Undefined if the mail is outdated.
 *
 * @throws KnowledgeError `unavailable` if no access key can be made now. The outbox then tries again.
 */
export async function composeMail(
  contribution: Contribution,
  mail: OutboxMail,
  {
    urls,
    makeAccessKey,
    joinedMails,
  }: { urls: PublicUrls; makeAccessKey: MakeAccessKey; joinedMails: Pick<JoinedMails, 'take'> },
  signal: AbortSignal,
): Promise<(MailContent & { to: string }) | undefined> {
  const { purpose } = mail;
  if (!isNotice(purpose)) throw new TypeError(`No contribution sends a mail for ${purpose}.`);
  const told = (await joinedMails.take(contribution, mail, signal)).flatMap((each) => stillTrue(each) ?? []);
  const [only] = told;
  if (only === undefined) return undefined;
  const facts = { urls, key: await makeAccessKey(contribution.email, signal) };
  const message =
    told.length > 1 ? composeJoined(told, { ...only, ...facts }) : composeNotice(only.notice, { ...only, ...facts });
  return { to: contribution.email, ...message };
}

/** Composes one mail about several texts of a human that were not accepted, or closed. */
function composeJoined(all: readonly Reported[], facts: MailFacts): MailContent {
  const reasonOf = ({ contribution, transition }: Reported) => transition?.reason || contribution.reason;
  const reasons = [...new Set(all.map(reasonOf))];
  const ofReason = (reason: string): MailBlock[] => {
    const items = all
      .filter((each) => reasonOf(each) === reason)
      .map(({ contribution }) => {
        const isEdited = editsSinceAgent(contribution).length > 0;
        const title = `${wordsFor(contribution).label}: ${withoutLinks(shorten(wordsOf(contribution), 120))}`;
        return `${title}${isEdited ? ' (a moderator edited it; your page shows what changed)' : ''}`;
      });
    const more = items.length > mostListed ? [`and ${items.length - mostListed} more, all on your page`] : [];
    const why: MailBlock[] = reason === '' ? [] : [quote(reason)];
    return [...why, { kind: 'list', items: [...items.slice(0, mostListed), ...more] }];
  };
  return renderMail({
    subject: `${all.length} texts in your name were not accepted`,
    preview: 'A moderator decided not to publish or answer them.',
    blocks: [
      paragraph(`A moderator decided so, for ${reasons.length > 1 ? 'these reasons' : 'this reason'}:`),
      ...reasons.flatMap(ofReason),
      ...endedAgents(all),
      contest,
      ...ownPage(facts),
    ],
    footer: [
      'You get this mail because an agent that may act for you sent these texts in your name.',
      `Community Knowledge Service, ${facts.urls[facts.contribution.site]}`,
    ],
  });
}

const mostListed = 50;

/** What a mail reports; undefined if it is outdated. */
function stillTrue({ contribution, mail }: Told): (Reported & { notice: Notice }) | undefined {
  const { purpose, recordedAt } = mail;
  if (!isNotice(purpose)) return undefined;
  const { email, state, proposal, history } = contribution;
  const ofPurpose = history.filter(({ to }) => to === (stateOf[purpose] ?? purpose));
  const transition = ofPurpose.findLast(({ at }) => at.getTime() === recordedAt.getTime());
  // A later decision of this kind has a mail of its own.
  if (isJoined(mail) && transition !== ofPurpose.at(-1)) return undefined;
  const isProposal = purpose === 'edit_proposed' && proposal?.revision === (transition?.revision ?? 0);
  const isTrue = isProposal || trueIn[purpose] === 'any' || trueIn[purpose].split(' ').includes(state);
  return email !== '' && isTrue ? { contribution, transition, notice: purpose } : undefined;
}

/** The state that each mail reports, if it has another name than the mail. */
const stateOf: Readonly<Partial<Record<Notice, string>>> = {
  received: 'pending_review',
  reopened: 'pending_review',
  edited: 'published',
  edit_proposed: 'proposed',
};

// In which states each mail is still needed. The link of a retracted object would not work, and a later mail replaces `received`.
const trueIn: Readonly<Record<Notice, string>> = {
  received: 'pending_review approved',
  reopened: 'pending_review approved',
  changes_requested: 'changes_requested',
  edited: 'published',
  edit_proposed: '',
  published: 'published',
  retracted: 'any',
  answered: 'any',
  rejected: 'rejected',
  closed: 'closed',
};

function isNotice(purpose: string): purpose is Notice {
  return Object.hasOwn(trueIn, purpose);
}
