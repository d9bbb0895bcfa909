import type { CallContext } from '@knowledge/runtime';
import { requireKeyHolder as requireConfirmed, unknownKey } from '../domain/access.js';
import { optionalSecret, sameHash } from '../domain/secret.js';
import type { AccessKeyStore } from '../store/access-keys.js';
import type { AuthorizationStore } from '../store/authorizations.js';

/** Where access keys are looked up. */
export interface KeyStores {
  authorizations: AuthorizationStore;
  keys: AccessKeyStore;
}

/**
 * The e-mail whose access page an access key opens.
 *
 * @throws KnowledgeError `not_found`.
 */
export async function requireKeyHolder(
  { authorizations, keys }: KeyStores,
  accessKey: string,
  call: CallContext,
): Promise<string> {
  const key = optionalSecret(accessKey);
  if (key === undefined) throw unknownKey();
  const own = await keys.find(key.id, call);
  if (own?.hashes.some((hash) => sameHash(hash, key.hash))) return own.email;
  return requireConfirmed(await authorizations.find(key.id, call), key);
}
