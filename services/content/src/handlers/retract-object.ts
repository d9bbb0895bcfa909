import type { RetractObjectRequest, RetractObjectResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { decideRetraction } from '../domain/object-decisions.js';
import { checkRetraction } from '../domain/object-input.js';
import type { ObjectStore } from '../store/objects.js';
import { actOf, type Clock } from './act.js';
import { logChange } from './log-change.js';
import { readSite } from './wire-enums.js';

export function handleRetractObject(
  objects: ObjectStore,
  clock: Clock,
): UnaryHandler<RetractObjectRequest, RetractObjectResponse> {
  return async (request, context) => {
    const retraction = checkRetraction({ ...request, site: readSite(request.site) });
    const { id } = retraction;
    const act = actOf(context, clock, retraction.reason);
    const decision = await objects.change(id, (before) => decideRetraction(before, retraction, act), context.signal);
    logChange(context, 'object', id, decision);
    return { appliedRevision: decision.object.revision };
  };
}
