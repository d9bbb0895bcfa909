import type { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import { editText } from '../domain/edit.js';
import type { ContributionStore } from '../store/contributions.js';
import type { SubmitParts } from './submit-contribution.js';
import { toWireRecord } from './wire-record.js';

export interface EditParts extends Pick<SubmitParts, 'submit'> {
  contributions: ContributionStore;
}

/** Corrects a text in the name of a moderator. */
export function editContribution({
  contributions,
  submit: { operatorName },
}: EditParts): Handlers<ModerationServiceService>['editContribution'] {
  return async ({ id, expectedRevision, reason, ...edit }, context) => {
    const act = { ...requireAttribution(context, reason), requestId: context.requestId };
    const { title, body, name, remove, forgetBefore } = edit;
    const rule = editText({ title, body, name, remove, forgetBefore }, act, expectedRevision, operatorName);
    return { contribution: toWireRecord(await contributions.change(id, rule, context)) };
  };
}
