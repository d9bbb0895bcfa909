import type { PutObjectRequest, PutObjectResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { decideObjectPut } from '../domain/object-decisions.js';
import { checkObjectPut } from '../domain/object-input.js';
import type { ObjectStore } from '../store/objects.js';
import { actOf, type Clock } from './act.js';
import { logChange } from './log-change.js';
import { presentObjectEntry } from './present-object.js';
import { presentOutcome } from './present-outcome.js';
import { readOptionalKind, readOptionalSite } from './wire-enums.js';

export function handlePutObject(objects: ObjectStore, clock: Clock): UnaryHandler<PutObjectRequest, PutObjectResponse> {
  return async (request, context) => {
    const { site, kind } = request;
    const put = checkObjectPut({ ...request, site: readOptionalSite(site), kind: readOptionalKind(kind) });
    const act = actOf(context, clock, request.reason);
    const change = request.validateOnly ? objects.preview : objects.change;
    const decision = await change(put.id, (before) => decideObjectPut(before, put, act), context.signal);
    if (!request.validateOnly) logChange(context, 'object', put.id, decision);
    return { object: presentObjectEntry(decision.object), outcome: presentOutcome(decision.outcome) };
  };
}
