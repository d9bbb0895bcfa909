import type {
  AllowRequestsRequest,
  AllowRequestsResponse,
  RefuseRequestsRequest,
  RefuseRequestsResponse,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import { blockFor } from '../domain/block.js';
import { mailboxOf } from '../domain/email.js';
import { type Act, actors } from '../domain/transition.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import type { BlockStore } from '../store/blocks.js';
import type { Call } from '../store/call.js';
import type { GrantStore } from '../store/grants.js';
import { callOf } from './call.js';
import { type KeyStores, keyHolder } from './get-access.js';
import { ownerOfCode } from './get-confirmation.js';

/** What it takes to let agents ask somebody no more. */
export interface BlockDeps extends KeyStores {
  blocks: BlockStore;
  grants: GrantStore;
  clock: Clock;
}

export function handleRefuseRequests(deps: BlockDeps): UnaryHandler<RefuseRequestsRequest, RefuseRequestsResponse> {
  return async ({ code, accessKey, days }, context) => {
    const call = callOf(context, deps.clock);
    const email =
      code === '' ? await keyHolder(deps, accessKey, call) : (await ownerOfCode(deps.authorizations, code, call)).email;
    const act = { actor: actors.human, at: call.now, reason: '' };
    const block = blockFor(email, days, act);
    await deps.blocks.put(block, call);
    return { until: block.until ?? undefined, declined: await endPending(deps, email, act, call) };
  };
}

export function handleAllowRequests(deps: BlockDeps): UnaryHandler<AllowRequestsRequest, AllowRequestsResponse> {
  return async ({ accessKey }, context) => {
    const call = callOf(context, deps.clock);
    await deps.blocks.end(mailboxOf(await keyHolder(deps, accessKey, call)), context.requestId, call);
    return {};
  };
}

/** Ends what waits for a human; tells how many requests that were. */
export async function endPending(
  { authorizations, grants }: { authorizations: AuthorizationStore; grants: GrantStore },
  email: string,
  act: Act,
  call: Call,
): Promise<number> {
  let ended = 0;
  for (const { id, state } of await authorizations.waiting(email, call)) {
    if (state === 'pending' && (await grants.revokeGrant(id, act, call.signal))) ended++;
  }
  return ended;
}
