import type { MailDelivery } from '@knowledge/proto/knowledge/common/v1/common';
import type {
  HeldDecision as WireHeld,
  ContributionRecord as WireRecord,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { toWireMail } from '@knowledge/runtime/mail';
import { toWireTransition } from '@knowledge/runtime/wire';
import { commandWords } from '../domain/command.js';
import type { HeldDecision } from '../domain/contribution.js';
import { hiddenIn } from '../domain/hidden-in.js';
import type { ContributionRecord } from '../store/contribution-record.js';
import { toWireAbout, toWireContribution } from './wire-contribution.js';

/** Converts a contribution for moderators. The history is left out. */
export function toWireRecord(record: ContributionRecord): WireRecord {
  const { contribution, mails, accessEnd, risk, findings } = record;
  return {
    contribution: toWireContribution(contribution),
    email: contribution.email,
    agentName: contribution.agentName,
    publishedRevision: contribution.catalogRevision,
    mails: toWireMails(mails),
    history: [],
    accessEndedAt: accessEnd?.at,
    accessEndedBy: accessEnd?.by ?? '',
    duplicateOf: contribution.duplicateOf?.id ?? '',
    hiddenCharacters: hiddenIn(contribution),
    note: contribution.note,
    changedBy: contribution.history.at(-1)?.actor ?? '',
    held: contribution.held === null ? undefined : toWireHeld(contribution.held),
    openBy: [],
    notes: [],
    risk,
    checks: findings.map(({ about, ...finding }) => ({ ...finding, about: about && toWireAbout(about) })),
    similar: [],
  };
}

/** Converts a contribution for moderators, with its history. */
export function toWireWholeRecord(record: ContributionRecord): WireRecord {
  return { ...toWireRecord(record), history: record.contribution.history.map(toWireTransition) };
}

function toWireHeld({ command, actor, at, reason, takesEffectAt }: HeldDecision): WireHeld {
  return {
    decision: commandWords(command),
    ...{ actor, decidedAt: at, takesEffectAt, reason },
    text: command.kind === 'answer' ? command.text : '',
    note: command.kind === 'close' ? command.note : '',
  };
}

// Cancelled mails are left out, since they were never sent.
function toWireMails(mails: ContributionRecord['mails']): MailDelivery[] {
  return mails.filter(({ state }) => state !== 'cancelled').map(toWireMail);
}
