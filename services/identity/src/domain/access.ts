import { KnowledgeError } from '@knowledge/runtime';
import type { Authorization } from './authorization.js';
import { type ReadSecret, sameHash } from './secret.js';

/**
 * The person whose own key this is. A request that was confirmed keeps the hashes of the keys that its page and its mails
 * gave; they open everything of that e-mail for as long as the request is kept, which is longer than its token lives.
 *
 * @throws KnowledgeError `not_found`.
 */
export function requireKeyHolder(authorization: Authorization | undefined, key: ReadSecret): string {
  if (authorization !== undefined && opens(authorization, key)) return authorization.email;
  throw unknownKey();
}

/** What every key that leads nowhere is answered with. */
export function unknownKey(): KnowledgeError {
  return new KnowledgeError('not_found', 'This link is unknown or has ended.');
}

function opens({ state, decision, codes, accessKeyHashes }: Authorization, { hash }: ReadSecret): boolean {
  if (state === 'erased') return false;
  // The key of a code is given out with a confirmation only.
  const given = decision === 'confirm' ? codes.map((code) => code.keyHash) : [];
  return [...given, ...accessKeyHashes].some((each) => sameHash(each, hash));
}
