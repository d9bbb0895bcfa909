import type { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import type {
  EditorialServiceService,
  PublicationServiceService,
} from '@knowledge/proto/knowledge/content/v1/editorial';
import { isUuid, KnowledgeError } from '@knowledge/runtime';
import { type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import { optionalSite, requireSite } from '@knowledge/runtime/wire';
import { requireReason } from '../base/bounds.js';
import { logChange, toWireOutcome } from '../base/wire.js';
import {
  checkObjectPut,
  checkPublication,
  checkRetraction,
  decideObjectPut,
  decideObjectWithdrawal,
  decidePublication,
  decideRetraction,
} from './decisions.js';
import type { ObjectStore } from './store.js';
import { optionalKind, requireKind, toWireObject, toWireObjectEntry } from './wire.js';

type ObjectHandlers = Pick<Handlers<ContentServiceService>, 'getObject'> &
  Pick<Handlers<EditorialServiceService>, 'putObject' | 'withdrawObject'>;

// Replaces a malformed id in the query, so that the response takes equally long (gateway/PROTOCOL.md#objects).
const nobody = '00000000-0000-0000-0000-000000000000';

export function objectHandlers(objects: ObjectStore): ObjectHandlers {
  return {
    async getObject({ id }, { signal }) {
      const object = await objects.published(isUuid(id) ? id : nobody, signal);
      if (object === undefined) throw new KnowledgeError('not_found', 'There is no published object of this id.');
      return { object: toWireObject(object) };
    },

    async putObject({ validateOnly, reason, ...sent }, context) {
      const put = checkObjectPut({ ...sent, site: optionalSite(sent.site), kind: optionalKind(sent.kind) });
      const act = requireAttribution(context, requireReason(reason));
      const result = await objects.change(put.id, (before) => decideObjectPut(before, put, act), context, validateOnly);
      if (!validateOnly) logChange(context, 'object', put.id, result);
      return { object: toWireObjectEntry(result.object), outcome: toWireOutcome(result.outcome) };
    },

    async withdrawObject({ id, reason }, context) {
      const act = requireAttribution(context, requireReason(reason));
      if (!isUuid(id)) throw new KnowledgeError('not_found', 'There is no such object.');
      const result = await objects.change(id, (before) => decideObjectWithdrawal(before, act), context);
      logChange(context, 'object', id, result);
      return {};
    },
  };
}

export function publicationHandlers(objects: ObjectStore): Handlers<PublicationServiceService> {
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
