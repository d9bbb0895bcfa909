import type { Contribution as WireContribution } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { catalogAuthor } from '../domain/catalog-object.js';
import type { Contribution } from '../domain/contribution.js';
import { presentSteps } from './present-steps.js';
import { presentSite } from './wire-enums.js';
import { presentState, presentType } from './wire-states.js';

/** A contribution as it travels to its own identity. */
export function presentContribution(contribution: Contribution): WireContribution {
  return {
    id: contribution.id,
    type: presentType(contribution.type),
    site: presentSite(contribution.site),
    state: presentState(contribution.state),
    title: contribution.title ?? '',
    body: contribution.body,
    name: contribution.name ?? '',
    promptId: contribution.prompt?.id ?? '',
    submittedAt: contribution.submittedAt,
    updatedAt: contribution.updatedAt,
    reviewedAt: contribution.reviewedAt ?? undefined,
    reason: contribution.reason,
    answer: contribution.answer,
    revision: contribution.revision,
    language: contribution.language,
    agentName: contribution.agentName,
    authorizationId: contribution.authorizationId,
    promptQuestion: contribution.prompt?.question ?? '',
    shownName: catalogAuthor(contribution),
    history: presentSteps(contribution),
  };
}
