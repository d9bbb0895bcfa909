import type { WithdrawObjectRequest, WithdrawObjectResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import { KnowledgeError } from '@knowledge/runtime';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { isUuid } from '../domain/bounds.js';
import { decideObjectWithdrawal } from '../domain/object-decisions.js';
import type { ObjectStore } from '../store/objects.js';
import { actOf, type Clock } from './act.js';
import { logChange } from './log-change.js';

export function handleWithdrawObject(
  objects: ObjectStore,
  clock: Clock,
): UnaryHandler<WithdrawObjectRequest, WithdrawObjectResponse> {
  return async ({ id, reason }, context) => {
    const act = actOf(context, clock, reason);
    if (!isUuid(id)) throw new KnowledgeError('not_found', 'There is no such object.');
    const decision = await objects.change(id, (before) => decideObjectWithdrawal(before, act), context.signal);
    logChange(context, 'object', id, decision);
    return {};
  };
}
