import type {
  SubmitContributionRequest,
  SubmitContributionResponse,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Metrics } from '@knowledge/runtime/telemetry';
import type { Clock } from '../clock.js';
import { foldEmail } from '../domain/email.js';
import type { Submission } from '../domain/submission.js';
import { type SubmitDependencies, submit } from '../domain/submit.js';
import { callOf } from './call.js';
import { presentContribution } from './wire-contribution.js';
import { readSite } from './wire-enums.js';
import { readType } from './wire-states.js';

/** ContributionsService.SubmitContribution. */
export function handleSubmitContribution(
  needs: SubmitDependencies,
  metrics: Metrics,
  clock: Clock,
): UnaryHandler<SubmitContributionRequest, SubmitContributionResponse> {
  const taken = metrics.counter({
    name: 'knowledge_contributions_total',
    help: 'Contributions that were taken, by type; one that came again counts once',
    labels: ['type'],
  });
  return async (request, context) => {
    const { contribution, replayed } = await submit(readSubmission(request), callOf(context, clock), needs);
    if (!replayed) taken.inc({ type: contribution.type });
    const { duplicateOf } = contribution;
    return {
      contribution: presentContribution(contribution),
      replayed,
      duplicate: duplicateOf !== null,
      duplicateOf: duplicateOf?.own === true ? duplicateOf.id : '',
    };
  };
}

function readSubmission(request: SubmitContributionRequest): Submission {
  const { id, title, body, name, promptId, language, idempotencyKey, payloadHash, contributor } = request;
  const type = readType(request.type);
  const site = readSite(request.site);
  if (type === undefined) throw new KnowledgeError('validation_error', 'type is required.');
  if (site === undefined) throw new KnowledgeError('validation_error', 'site is required.');
  if (contributor === undefined) throw new KnowledgeError('validation_error', 'contributor is required.');
  const { email, tokenId, scopes, agentName, authorizationId } = contributor;
  return {
    id,
    type,
    site,
    title,
    body,
    name,
    promptId,
    language,
    contributor: { email: foldEmail(email), tokenId, scopes, agentName, authorizationId },
    idempotencyKey,
    payloadHash: Buffer.from(payloadHash).toString('hex'),
  };
}
