import type { GetAccessRequest, GetAccessResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import { requireKeyHolder, unknownKey } from '../domain/access.js';
import type { Authorization } from '../domain/authorization.js';
import { mailboxOf } from '../domain/email.js';
import { readSecret, sameHash } from '../domain/secret.js';
import type { AccessKeyStore } from '../store/access-keys.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import type { BlockStore } from '../store/blocks.js';
import type { Call } from '../store/call.js';
import type { TokenStore } from '../store/tokens.js';
import { callOf } from './call.js';
import { presentAuthorization } from './present-authorization.js';
import { presentToken } from './present-token.js';

/** Shows a human what they granted: at most the newest 200 grants and 200 requests. */
export function handleGetAccess(
  { authorizations, keys, tokens, blocks }: { tokens: TokenStore; blocks: BlockStore } & KeyStores,
  clock: Clock,
): UnaryHandler<GetAccessRequest, GetAccessResponse> {
  return async ({ accessKey }, context) => {
    const call = callOf(context, clock);
    const email = await keyHolder({ authorizations, keys }, accessKey, call);
    const [{ items }, waiting, block] = await Promise.all([
      tokens.list({ email }, { size: 200, after: undefined }, call),
      authorizations.waiting(email, call),
      blocks.find(mailboxOf(email), call),
    ]);
    return {
      email,
      tokens: items.map(presentToken),
      authorizations: waiting.filter(wasMailed).map((each) => presentAuthorization(each, call.now)),
      requestsRefused: block !== undefined,
      requestsRefusedUntil: block?.until ?? undefined,
    };
  };
}

// A request that a block kept from its human is nothing that they know of.
function wasMailed({ mails }: Authorization): boolean {
  return mails.length > 0;
}

/** Where keys are looked up. */
export interface KeyStores {
  authorizations: AuthorizationStore;
  keys: AccessKeyStore;
}

/**
 * The e-mail that a human's own key opens.
 *
 * @throws KnowledgeError `not_found`.
 */
export async function keyHolder({ authorizations, keys }: KeyStores, accessKey: string, call: Call): Promise<string> {
  const key = readSecret(accessKey);
  if (key === undefined) throw unknownKey();
  const own = await keys.find(key.id, call);
  if (own?.hashes.some((hash) => sameHash(hash, key.hash))) return own.email;
  return requireKeyHolder(await authorizations.find(key.id, call), key);
}
