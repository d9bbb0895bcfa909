import type { MailDelivery, Transition as WireTransition } from '@knowledge/proto/knowledge/common/v1/common';
import type { ContributionRecord as WireRecord } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { hiddenIn } from '../domain/hidden-in.js';
import type { Transition } from '../domain/transition.js';
import type { ContributionRecord } from '../store/contributions.js';
import { presentContribution } from './wire-contribution.js';

/** A contribution as it travels to moderators, without its history. */
export function presentRecord({ contribution, mails, accessEnd }: ContributionRecord): WireRecord {
  return {
    contribution: presentContribution(contribution),
    email: contribution.email,
    agentName: contribution.agentName,
    publishedRevision: contribution.catalogRevision,
    mails: presentMails(mails),
    history: [],
    accessEndedAt: accessEnd?.at,
    accessEndedBy: accessEnd?.by ?? '',
    duplicateOf: contribution.duplicateOf?.id ?? '',
    hiddenCharacters: hiddenIn(contribution),
    note: contribution.note,
    changedBy: contribution.history.at(-1)?.actor ?? '',
  };
}

/** The same with its history. */
export function presentWholeRecord(record: ContributionRecord): WireRecord {
  return { ...presentRecord(record), history: record.contribution.history.map(presentTransition) };
}

export function presentTransition({ from, to, actor, at, reason, revision }: Transition): WireTransition {
  return { fromState: from, toState: to, actor, occurredAt: at, reason, revision };
}

// One that was overtaken before it left is no mail.
function presentMails(mails: ContributionRecord['mails']): MailDelivery[] {
  return mails
    .filter(({ state }) => state !== 'cancelled')
    .map(({ purpose, state, attempts, sentAt }) => ({ purpose, state, attempts, sentAt: sentAt ?? undefined }));
}
