import type {
  AboutText,
  ContributionsServiceService,
  SubmitContributionRequest,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { KnowledgeError } from '@knowledge/runtime';
import type { Handlers } from '@knowledge/runtime/grpc';
import type { Metrics } from '@knowledge/runtime/telemetry';
import { requireSite } from '@knowledge/runtime/wire';
import type { TextName } from '../domain/contribution.js';
import type { Submission } from '../domain/submission.js';
import { type SubmitDependencies, submit } from '../domain/submit.js';
import { requireContributor } from './require-contributor.js';
import { toWireContribution } from './wire-contribution.js';
import { optionalPurpose, requireType } from './wire-enums.js';

export interface SubmitParts {
  submit: SubmitDependencies;
  metrics: Metrics;
}

export function submitContribution(parts: SubmitParts): Handlers<ContributionsServiceService>['submitContribution'] {
  const taken = parts.metrics.counter({
    name: 'knowledge_contributions_total',
    help: 'Contributions that were accepted for review, by type; a repeated one counts once',
    labels: ['type'],
  });
  return async (request, context) => {
    const { contribution, replayed } = await submit(fromWire(request), context, parts.submit);
    if (!replayed) taken.inc({ type: contribution.type });
    const { duplicateOf } = contribution;
    return {
      contribution: toWireContribution(contribution),
      replayed,
      duplicate: duplicateOf !== null,
      duplicateOf: duplicateOf?.own === true ? duplicateOf.id : '',
    };
  };
}

function fromWire(request: SubmitContributionRequest): Submission {
  const { id, title, body, name, promptId, language, idempotencyKey, payloadHash, contributor } = request;
  const { purpose, about } = request;
  const type = requireType(request.type);
  const site = requireSite(request.site);
  return {
    id,
    type,
    site,
    title,
    body,
    name,
    promptId,
    purpose: purpose && optionalPurpose(purpose),
    about: about && toTextName(about),
    language,
    contributor: requireContributor(contributor),
    idempotencyKey,
    payloadHash: Buffer.from(payloadHash).toString('hex'),
  };
}

function toTextName({ site, slug, objectId }: AboutText): TextName {
  if ((slug === '') === (objectId === '')) {
    throw new KnowledgeError('validation_error', 'about must have either slug or object_id.');
  }
  const name = slug === '' ? { kind: 'object' as const, id: objectId } : { kind: 'article' as const, id: slug };
  return { site: requireSite(site), ...name };
}
