import type { CallContext } from '@knowledge/runtime';
import { requireConfirmedKeyHolder as requireConfirmed, unknownKey } from '../domain/key-holder.js';
import { optionalSecretCode, sameHash } from '../domain/secret.js';
import type { AccessKeyStore } from '../store/access-keys.js';
import type { AuthorizationStore } from '../store/authorizations.js';

export interface KeyStores {
  authorizations: AuthorizationStore;
  keys: AccessKeyStore;
}

export async function requireKeyHolder(
  { authorizations, keys }: KeyStores,
  accessKey: string,
  call: CallContext,
): Promise<string> {
  const key = optionalSecretCode(accessKey);
  if (key === undefined) throw unknownKey();
  const own = await keys.find(key.id, call);
  if (own?.hashes.some((hash) => sameHash(hash, key.hash))) return own.email;
  return requireConfirmed(await authorizations.find(key.id, call), key);
}
