import type { Contributor as WireContributor } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { KnowledgeError } from '@knowledge/runtime';
import { foldEmail } from '../domain/email.js';
import type { Contributor } from '../domain/submission.js';

/** @throws KnowledgeError `validation_error` if the contributor is missing. */
export function requireContributor(contributor: WireContributor | undefined): Contributor {
  if (contributor === undefined) throw new KnowledgeError('validation_error', 'contributor is required.');
  const { email, tokenId, scopes, agentName, authorizationId, writesBlocked = false, network = '' } = contributor;
  return { email: foldEmail(email), tokenId, scopes, agentName, authorizationId, writesBlocked, network };
}
