import type {
  BlockRequestsRequest,
  BlockRequestsResponse,
  UnblockRequestsRequest,
  UnblockRequestsResponse,
} from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import type { Clock } from '../clock.js';
import { blockFor } from '../domain/block.js';
import { mailboxOf, readEmail } from '../domain/email.js';
import type { BlockStore } from '../store/blocks.js';
import { actOf, callOf } from './call.js';
import { type BlockDeps, endPending } from './refuse-requests.js';

export function handleBlockRequests(deps: BlockDeps): UnaryHandler<BlockRequestsRequest, BlockRequestsResponse> {
  return async (request, context) => {
    const email = readEmail(request.email);
    const call = callOf(context, deps.clock);
    const act = actOf(context, deps.clock, request.reason);
    const block = blockFor(email, request.days, act);
    await deps.blocks.put(block, call);
    return { until: block.until ?? undefined, cancelled: await endPending(deps, email, act, call) };
  };
}

export function handleUnblockRequests(
  blocks: BlockStore,
  clock: Clock,
): UnaryHandler<UnblockRequestsRequest, UnblockRequestsResponse> {
  return async ({ email }, context) => {
    actOf(context, clock, '');
    if (!(await blocks.end(mailboxOf(readEmail(email)), context.requestId, callOf(context, clock)))) {
      throw new KnowledgeError('not_found', 'Agents may ask this mailbox.');
    }
    return {};
  };
}
