import type { FastifyInstance } from 'fastify';
import { apiForm } from '../../http/negotiation.js';
import { cacheControl } from '../../http/send-read.js';
import { limits } from '../../protocol/limits.js';
import { listObjects, readObject } from '../../protocol/read-operations.js';
import { callContextOf } from '../../upstream/call-context.js';
import type { Gateway } from '../gateway.js';
import { registerOperation } from '../operation-route.js';
import { sendListing } from '../send-listing.js';
import { sendText } from '../send-text.js';

/** Registers the routes of the catalog and its objects (gateway/PROTOCOL.md#objects). */
export function registerObjectRoutes(
  app: FastifyInstance,
  { content, fastPath, sites }: Pick<Gateway, 'content' | 'fastPath' | 'sites'>,
): void {
  registerOperation(app, listObjects, (request, reply) => {
    const { kind, cursor = '', limit = limits.pageSize.default, q = '', fields } = request.query;
    const site = sites.of(request.query, request.headers.host);
    const asked = { site, kind, cursor, limit, q: q.trim(), brief: fields === 'brief' };
    return sendListing(request, reply, () => content.catalog(asked, callContextOf(request)), fastPath);
  });

  registerOperation(app, readObject, async (request, reply) => {
    const form = apiForm(request);
    const object = await content.object(request.params.id, form, callContextOf(request));
    return sendText(request, reply, object, form, cacheControl.object);
  });
}
