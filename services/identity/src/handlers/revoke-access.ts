import type { IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import { type Attribution, type CallContext, KnowledgeError, mailboxOf } from '@knowledge/runtime';
import type { Handlers } from '@knowledge/runtime/grpc';
import { requireConfirmedKeyHolder as requireConfirmed, unknownKey } from '../domain/access-key.js';
import { isId, optionalSecretCode, sameHash } from '../domain/secret.js';
import { isValid } from '../domain/token.js';
import { actors } from '../domain/transition.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import type { EndedChain, GrantStore } from '../store/grants.js';
import type { IdentityParts } from './parts.js';

/**
 * Revokes one grant of a human, or all grants and pending authorizations. The id of another human's grant gives the
 * same error as an unknown id. Only an unknown key is `not_found`.
 */
export function revokeAccess(parts: IdentityParts): Handlers<IdentityServiceService>['revokeAccess'] {
  return async ({ accessKey, id, keepWaiting }, call) => {
    const email = await requireKeyHolder(parts, accessKey, call);
    const ids = id === '' ? await grantsOf(parts, email, call) : [await grantWith(parts, email, id, call)];
    const { now: at, requestId } = call;
    const act = { actor: actors.human, at, reason: '', requestId, withdrawWaiting: !keepWaiting };
    const ended: EndedChain[] = [];
    for (const each of ids) {
      const chain = await parts.grants.revokeGrant(each, act, call.signal);
      if (chain !== undefined) ended.push(chain);
    }
    parts.wakeOutbox();
    const stopped = ended.filter(({ revoked }) => revoked);
    return {
      revoked: stopped.length,
      authorizationIds: stopped.map(({ rootAuthorizationId }) => rootAuthorizationId),
      declined: ended.reduce((sum, { declined }) => sum + declined, 0),
    };
  };
}

async function grantsOf(
  { authorizations, tokens }: IdentityParts,
  email: string,
  call: CallContext,
): Promise<string[]> {
  // Reads authorizations before tokens. So a token that is issued meanwhile is in the list of tokens.
  const waiting = await authorizations.listOpen({ email }, call);
  const ids = new Set(waiting.map((each) => each.id));
  let after: { at: Date; id: string } | undefined;
  do {
    const page = await tokens.list({ email }, { size: 200, after }, call);
    for (const token of page.items) if (isValid(token, call.now)) ids.add(token.authorizationId);
    after = page.next;
  } while (after !== undefined);
  return [...ids];
}

async function grantWith(
  { authorizations, tokens }: IdentityParts,
  email: string,
  id: string,
  call: CallContext,
): Promise<string> {
  if (isId(id)) {
    const token = await tokens.find(id, call);
    if (token?.email === email) return token.authorizationId;
    const authorization = await authorizations.find(id, call);
    if (authorization?.email === email) return authorization.id;
  }
  throw new KnowledgeError('validation_error', 'There is no such access on this page.');
}

export async function requireKeyHolder(
  { authorizations, keys }: IdentityParts,
  accessKey: string,
  call: CallContext,
): Promise<string> {
  const key = optionalSecretCode(accessKey);
  if (key === undefined) throw unknownKey();
  const own = await keys.find(key.id, call);
  if (own?.hashes.some((hash) => sameHash(hash, key.hash))) return own.email;
  return requireConfirmed(await authorizations.find(key.id, call), key);
}

/** Ends all pending authorizations of a mailbox, in any spelling. Returns the number of them. */
export async function endPending(
  { authorizations, grants }: { authorizations: AuthorizationStore; grants: GrantStore },
  email: string,
  act: Attribution,
  call: CallContext,
): Promise<number> {
  let ended = 0;
  for (const { id, state } of await authorizations.listOpen({ mailbox: mailboxOf(email) }, call)) {
    if (state === 'pending' && (await grants.revokeGrant(id, act, call.signal))) ended++;
  }
  return ended;
}
