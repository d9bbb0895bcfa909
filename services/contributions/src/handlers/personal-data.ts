import type {
  ModerationServiceService,
  StreamContributorExportRequest,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { refuse } from '@knowledge/runtime';
import { eachShown, type Handlers, requireAttribution, streamExport } from '@knowledge/runtime/grpc';
import { aboutPerson } from '@knowledge/runtime/transition-log';
import { requireEmail, toWireFields } from '@knowledge/runtime/wire';
import type { Identity } from '../clients/identity.js';
import type { Contribution, HeldDecision, Proposal } from '../domain/contribution.js';
import { erasesAt } from '../domain/erasure.js';
import { sentNames } from '../domain/sent-fields.js';
import type { ContributionRecord } from '../store/contribution-document.js';
import type { Stores } from '../stores.js';

export interface PersonalDataParts extends Stores {
  readonly identity: Pick<Identity, 'confirmedErasure' | 'finishErasure'>;
}

/** Exports all stored data of a person. The log stores actor and reason before the data is read. */
export function exportContributor({
  personalData,
  transitions,
}: Stores): Handlers<ModerationServiceService>['streamContributorExport'] {
  return streamExport<StreamContributorExportRequest>(async (request, context) => {
    const email = requireEmail(request.email);
    const look = requireAttribution(context, request.reason);
    await transitions.record({ ...aboutPerson(email), to: 'exported', ...look }, context.signal);
    const { contributions, slots, eachReceipt, notes } = await personalData.export(email, context);
    return {
      email,
      contributions: eachShown(contributions, exportRecord),
      notes: notes.map(({ contributionId, author, at, text }) => ({
        contribution_id: contributionId,
        author,
        written_at: at,
        text,
      })),
      mail_choice: eachReceipt === undefined ? null : { each_receipt: eachReceipt },
      submissions: slots.map(({ contributionId, takenAt, deleteAt }) => ({
        contribution_id: contributionId,
        taken_at: takenAt,
        forgotten_at: deleteAt,
      })),
    };
  });
}

type ExportedRecord = Omit<ContributionRecord, 'accessEnd'> & { readonly waves: readonly string[] };

function exportRecord({ contribution, mails, risk, findings, waves }: ExportedRecord): object {
  return {
    ...toWireFields(contribution, exportedAsStored),
    erases_at: erasesAt(contribution) ?? null,
    held_decision: contribution.held && heldDecision(contribution.held),
    proposed_edit: contribution.proposal && proposedEdit(contribution.proposal),
    risk,
    checks: findings.map(({ wave: _, ...finding }) => finding),
    // A wave of a text has the id of another one.
    in_common: waves.map((key) => key.replace(/^text:.*/, 'text')),
    mails: mails.map(({ purpose, state, recordedAt, sentAt, failure = null }) => ({
      purpose,
      state,
      recorded_at: recordedAt,
      sent_at: sentAt,
      failure,
    })),
    text_changes: contribution.textChanges.map(({ revision, at, by, reason, fields, before }) => ({
      revision,
      changed_at: at,
      by,
      reason,
      fields,
      before,
    })),
    transitions: contribution.history.map(({ from, to, decision, actor, at, reason, revision }) => ({
      from_state: from,
      to_state: to,
      decision,
      actor,
      occurred_at: at,
      reason,
      revision,
    })),
  };
}

const exportedAsStored: readonly (keyof Contribution)[] = [
  'id',
  'type',
  'site',
  'state',
  ...sentNames,
  'email',
  'tokenId',
  'agentName',
  'authorizationId',
  'submittedAt',
  'updatedAt',
  'reviewedAt',
  'publishedAt',
  'reason',
  'answer',
  'note',
  'agentEnd',
  'revision',
];

function proposedEdit({ text, actor, at, reason }: Proposal): object {
  return { ...text, actor, proposed_at: at, reason };
}

function heldDecision({ command, actor, at, reason, takesEffectAt }: HeldDecision): object {
  const { kind: decision, ...texts } = command;
  return { decision, ...texts, actor, decided_at: at, reason, takes_effect_at: takesEffectAt };
}

/**
 * Erases this service's part of a person. Whom, and how, is what identity says about the confirmed erasure, so nobody
 * can erase alone (SECURITY.md#erasing-a-person).
 */
export function eraseContributor({
  personalData,
  transitions,
  identity,
}: PersonalDataParts): Handlers<ModerationServiceService>['eraseContributor'] {
  return async ({ erasureId, email: expected }, context) => {
    const { requestId, signal } = context;
    const act = requireAttribution(context);
    const { email, withWork } = await identity.confirmedErasure(erasureId, { requestId, signal });
    if (email === '') return { deleted: 0, anonymized: 0 };
    if (expected !== '' && expected.toLowerCase() !== email) {
      refuse('email is not that of the erasure');
    }
    const person = aboutPerson(email);
    await transitions.forgetReasons(person.id, signal);
    await transitions.record({ ...person, to: 'erased', ...act }, signal);
    const erased = await personalData.erase(email, withWork, act, context);
    await identity.finishErasure(erasureId, { requestId, signal });
    return erased;
  };
}
