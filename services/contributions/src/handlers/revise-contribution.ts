import type {
  ContributionsServiceService,
  ReviseContributionRequest,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { Handlers } from '@knowledge/runtime/grpc';
import { type NewText, sendNewText } from '../domain/new-text.js';
import { refusePrivateLinks } from '../domain/private-links.js';
import { languageOf } from '../domain/submission.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import type { ContributionStore } from '../store/contributions.js';
import { requireContributor } from './require-contributor.js';
import type { SubmitParts } from './submit-contribution.js';
import { toWireContribution } from './wire-contribution.js';

export interface ReviseParts extends Pick<SubmitParts, 'submit'> {
  contributions: ContributionStore;
  authorizations: AuthorizationStore;
}

/** Replaces the text of a contribution for which a moderator asked for changes. */
export function reviseContribution({
  contributions,
  authorizations,
  submit: { operatorName, siteUrls },
}: ReviseParts): Handlers<ContributionsServiceService>['reviseContribution'] {
  return async (request, context) => {
    const text = fromWire(request);
    await authorizations.refuseEnded(text.contributor.authorizationId, context.signal);
    const apply = sendNewText(text, await languageOf(text), context, operatorName);
    let replayed = false;
    const rule = (contribution: Parameters<typeof apply>[0]) => {
      const outcome = apply(contribution);
      refusePrivateLinks(text.body, siteUrls);
      replayed = outcome.replayed;
      return outcome;
    };
    const { contribution } = await contributions.change(request.id, rule, context);
    return { contribution: toWireContribution(contribution), replayed };
  };
}

function fromWire({ contributor, payloadHash, ...sent }: ReviseContributionRequest): NewText {
  const { title, body, name, language, idempotencyKey, ifRevisions } = sent;
  return {
    title,
    body,
    name,
    language,
    idempotencyKey,
    ifRevisions,
    contributor: requireContributor(contributor),
    payloadHash: Buffer.from(payloadHash).toString('hex'),
  };
}
