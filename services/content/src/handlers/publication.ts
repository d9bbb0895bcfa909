import type { PublicationServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import { requireSite } from '@knowledge/runtime/wire';
import { decidePublication, decideRetraction } from '../domain/object-decisions.js';
import { checkPublication, checkRetraction } from '../domain/object-input.js';
import type { ObjectStore } from '../store/objects.js';
import { logChange } from './log-change.js';
import { requireKind } from './wire-enums.js';

export function publicationHandlers({ objects }: { objects: ObjectStore }): Handlers<PublicationServiceService> {
  return {
    async publishObject(request, context) {
      const site = requireSite(request.site);
      const publication = checkPublication({ ...request, site, kind: requireKind(request.kind) });
      const { id } = publication;
      const act = requireAttribution(context);
      const result = await objects.change(id, (before) => decidePublication(before, publication, act), context);
      logChange(context, 'object', id, result);
      return { appliedRevision: result.object.revision };
    },

    async retractObject(request, context) {
      const retraction = checkRetraction({ ...request, site: requireSite(request.site) });
      const { id } = retraction;
      const act = requireAttribution(context, retraction.reason);
      const result = await objects.change(id, (before) => decideRetraction(before, retraction, act), context);
      logChange(context, 'object', id, result);
      return { appliedRevision: result.object.revision };
    },
  };
}
