import type {
  BlockRequestsRequest,
  BlockRequestsResponse,
  UnblockRequestsRequest,
  UnblockRequestsResponse,
} from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { personHash } from '@knowledge/runtime/watch';
import { blockFor } from '../domain/block.js';
import { mailboxOf, readEmail } from '../domain/email.js';
import type { Act } from '../domain/transition.js';
import type { Look, TransitionLog } from '../store/transitions.js';
import { actOf, callOf } from './call.js';
import { type BlockDeps, endPending } from './refuse-requests.js';

/** What support needs to block a mailbox; each block and its end is in the log, with who and why. */
interface SupportBlockDeps extends BlockDeps {
  transitions: TransitionLog;
}

export function handleBlockRequests(deps: SupportBlockDeps): UnaryHandler<BlockRequestsRequest, BlockRequestsResponse> {
  return async (request, context) => {
    const email = readEmail(request.email);
    const call = callOf(context, deps.clock);
    const act = actOf(context, deps.clock, request.reason);
    const block = blockFor(email, request.days, act);
    await deps.blocks.put(block, call);
    await deps.transitions.record(recordOf(email, 'blocked', act), call.signal);
    return { until: block.until ?? undefined, cancelled: await endPending(deps, email, act, call) };
  };
}

export function handleUnblockRequests(
  deps: SupportBlockDeps,
): UnaryHandler<UnblockRequestsRequest, UnblockRequestsResponse> {
  return async (request, context) => {
    const email = readEmail(request.email);
    const act = actOf(context, deps.clock, request.reason ?? '');
    const call = callOf(context, deps.clock);
    if (!(await deps.blocks.end(mailboxOf(email), context.requestId, call))) {
      throw new KnowledgeError('not_found', 'Agents may ask this mailbox.');
    }
    await deps.transitions.record(recordOf(email, 'unblocked', act), call.signal);
    return {};
  };
}

function recordOf(email: string, to: 'blocked' | 'unblocked', { actor, at, reason }: Act): Look {
  const person = personHash(email);
  return { subject: 'person', id: person, person, to, actor, at, reason };
}
