import { KnowledgeError } from '@knowledge/runtime';
import type { Authorization } from './authorization.js';
import { type SecretCode, sameHash } from './secret.js';

/**
 * Returns the e-mail whose access page the key opens. A confirmed authorization stores the hashes of the keys on its
 * page and in its mails. These keys work until the authorization is deleted, which is later than its token expires.
 *
 * @throws KnowledgeError `not_found` for any other key.
 */
export function requireConfirmedKeyHolder(authorization: Authorization | undefined, key: SecretCode): string {
  if (authorization !== undefined && opens(authorization, key)) return authorization.email;
  throw unknownKey();
}

/** The error for every access key that does not work. */
export function unknownKey(): KnowledgeError {
  return new KnowledgeError('not_found', 'This link is unknown or has ended.');
}

function opens({ state, decision, codes }: Authorization, { hash }: SecretCode): boolean {
  // The access key that is derived from a mailed code works only after the confirmation.
  return state !== 'erased' && decision === 'confirm' && codes.some(({ keyHash }) => sameHash(keyHash, hash));
}
