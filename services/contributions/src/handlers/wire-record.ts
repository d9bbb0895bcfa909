import type { MailDelivery } from '@knowledge/proto/knowledge/common/v1/common';
import type {
  HeldDecision as WireHeld,
  OtherWork as WireOtherWork,
  ContributionRecord as WireRecord,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { mailboxOf } from '@knowledge/runtime';
import { toWireMail } from '@knowledge/runtime/mail';
import { toWireTransition } from '@knowledge/runtime/wire';
import { commandWords } from '../domain/command.js';
import { type HeldDecision, seenBy } from '../domain/contribution.js';
import { allowedEdit } from '../domain/edit.js';
import { hiddenIn } from '../domain/hidden-in.js';
import { allowedDecisions } from '../domain/review.js';
import type { ContributionRecord } from '../store/contribution-record.js';
import { beginningLength, type OtherWork, type RelatedWork } from '../store/related-work.js';
import { toWireAbout, toWireContribution } from './wire-contribution.js';
import { toWireAllowedEdit, toWireDecision, toWirePurpose, toWireState, toWireType } from './wire-enums.js';

/** Converts a contribution for moderators. The history is left out; `actor` is who reads it. */
export function toWireRecord(record: ContributionRecord, actor?: string): WireRecord {
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
    allowedDecisions: allowedDecisions(contribution).map(toWireDecision),
    allowedEdit: toWireAllowedEdit(allowedEdit(contribution)),
    seenRevision: actor === undefined ? undefined : seenBy(contribution, actor),
  };
}

/** Converts a contribution for moderators, with its history. */
export function toWireWholeRecord(record: ContributionRecord, actor: string): WireRecord {
  return { ...toWireRecord(record, actor), history: record.contribution.history.map(toWireTransition) };
}

function toWireHeld({ command, actor, at, reason, takesEffectAt, group }: HeldDecision): WireHeld {
  return {
    decision: commandWords(command),
    actor,
    decidedAt: at,
    takesEffectAt,
    reason,
    text: command.text ?? '',
    note: command.note ?? '',
    groupId: group?.id,
    endsAgent: group?.endsAgent,
  };
}

// Cancelled mails are left out, since they were never sent, unless another mail told them.
function toWireMails(mails: ContributionRecord['mails']): MailDelivery[] {
  const told = mails.filter(({ state, into }) => state !== 'cancelled' || into !== undefined);
  return told.map((mail) => ({ ...toWireMail(mail), ...(mail.into !== undefined && { state: 'joined' }) }));
}

/** Converts what a moderator wants to know beside a contribution of this human. */
export function toWireRelatedWork({ similar, ofHuman, ofAgent }: RelatedWork, email: string) {
  return {
    similar: similar.map(({ document, percent }) => ({
      id: document._id,
      title: document.title ?? '',
      state: toWireState(document.state),
      percent,
      beginning: [...document.body.slice(0, 2 * beginningLength)].slice(0, beginningLength).join(''),
      revision: document.revision,
      sameHuman: email !== '' && mailboxOf(document.email) === mailboxOf(email),
    })),
    ofHuman: ofHuman && toWireOtherWork(ofHuman),
    ofAgent: ofAgent && toWireOtherWork(ofAgent),
  };
}

function toWireOtherWork({ counts, newest }: OtherWork): WireOtherWork {
  return {
    counts: counts.map(({ state, count }) => ({ state: toWireState(state), count })),
    newest: newest.map(({ _id, title, type, purpose, state, reason, submittedAt, beginning, revision }) => ({
      id: _id,
      title: title ?? '',
      type: toWireType(type),
      state: toWireState(state),
      reason,
      submittedAt,
      purpose: toWirePurpose(purpose),
      beginning,
      revision,
    })),
  };
}
