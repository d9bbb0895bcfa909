import type {
  ExportContributorRequest,
  ExportContributorResponse,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { personHash } from '@knowledge/runtime/watch';
import type { Clock } from '../clock.js';
import type { ContributionRecord } from '../store/contributions.js';
import type { PersonalDataStore } from '../store/personal-data.js';
import type { TransitionLog } from '../store/transition-log.js';
import { callOf, lookOf, requireActor, requireEmail } from './call.js';

/** ModerationService.ExportContributor. Who exports, and why, is stored before anything is given. */
export function handleExportContributor(
  personalData: PersonalDataStore,
  transitions: TransitionLog,
  clock: Clock,
): UnaryHandler<ExportContributorRequest, ExportContributorResponse> {
  return async ({ email, reason }, context) => {
    const folded = requireEmail(email);
    requireActor(context);
    const person = personHash(folded);
    const look = {
      subject: 'person' as const,
      id: person,
      person,
      to: 'exported' as const,
      ...lookOf(context, clock, reason),
    };
    await transitions.record(look, context.signal);
    const { contributions, submissions, eachReceipt } = await personalData.export(folded, callOf(context, clock));
    const data = {
      email: folded,
      contributions: contributions.map(exportRecord),
      mail_choice: eachReceipt === undefined ? null : { each_receipt: eachReceipt },
      submissions: submissions.map(({ contributionId, takenAt, forgottenAt }) => ({
        contribution_id: contributionId,
        taken_at: takenAt.toISOString(),
        forgotten_at: forgottenAt.toISOString(),
      })),
    };
    return { data };
  };
}

function exportRecord({ contribution, mails }: Pick<ContributionRecord, 'contribution' | 'mails'>): object {
  return {
    id: contribution.id,
    type: contribution.type,
    site: contribution.site,
    state: contribution.state,
    title: contribution.title,
    body: contribution.body,
    name: contribution.name,
    prompt: contribution.prompt,
    email: contribution.email,
    token_id: contribution.tokenId,
    agent_name: contribution.agentName,
    authorization_id: contribution.authorizationId,
    language: contribution.language,
    submitted_at: contribution.submittedAt.toISOString(),
    updated_at: contribution.updatedAt.toISOString(),
    reviewed_at: contribution.reviewedAt?.toISOString() ?? null,
    published_at: contribution.publishedAt?.toISOString() ?? null,
    reason: contribution.reason,
    answer: contribution.answer,
    note: contribution.note,
    revision: contribution.revision,
    mails: mails.map(({ purpose, state, recordedAt, sentAt }) => ({
      purpose,
      state,
      recorded_at: recordedAt.toISOString(),
      sent_at: sentAt?.toISOString() ?? null,
    })),
    transitions: contribution.history.map(({ from, to, actor, at, reason, revision }) => ({
      from_state: from,
      to_state: to,
      actor,
      occurred_at: at.toISOString(),
      reason,
      revision,
    })),
  };
}
