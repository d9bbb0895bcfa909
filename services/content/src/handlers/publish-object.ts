import type { PublishObjectRequest, PublishObjectResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { decidePublication } from '../domain/object-decisions.js';
import { checkPublication } from '../domain/object-input.js';
import type { ObjectStore } from '../store/objects.js';
import { actOf, type Clock } from './act.js';
import { logChange } from './log-change.js';
import { readKind, readSite } from './wire-enums.js';

export function handlePublishObject(
  objects: ObjectStore,
  clock: Clock,
): UnaryHandler<PublishObjectRequest, PublishObjectResponse> {
  return async (request, context) => {
    const site = readSite(request.site);
    const publication = checkPublication({ ...request, site, kind: readKind(request.kind) });
    const { id } = publication;
    const act = actOf(context, clock);
    const decision = await objects.change(id, (before) => decidePublication(before, publication, act), context.signal);
    logChange(context, 'object', id, decision);
    return { appliedRevision: decision.object.revision };
  };
}
