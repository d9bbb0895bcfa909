import { KnowledgeError } from '@knowledge/runtime';
import type { Authorization } from './authorization.js';
import { type SecretCode, sameHash } from './secret.js';

/**
 * Gives the e-mail that an access key belongs to. A confirmed authorization stores the hashes of the keys on its page
 * and in its mails. They open the access page until the authorization is deleted, which is later than its token
 * expires.
 *
 * @throws KnowledgeError `not_found`.
 */
export function requireConfirmedKeyHolder(authorization: Authorization | undefined, key: SecretCode): string {
  if (authorization !== undefined && opens(authorization, key)) return authorization.email;
  throw unknownKey();
}

/** The error for every access key that opens nothing. */
export function unknownKey(): KnowledgeError {
  return new KnowledgeError('not_found', 'This link is unknown or has ended.');
}

function opens({ state, decision, codes, accessKeyHashes }: Authorization, { hash }: SecretCode): boolean {
  if (state === 'erased') return false;
  // The access page that belongs to a mailed code opens only after a yes.
  const given = decision === 'confirm' ? codes.map((code) => code.keyHash) : [];
  return [...given, ...accessKeyHashes].some((each) => sameHash(each, hash));
}
