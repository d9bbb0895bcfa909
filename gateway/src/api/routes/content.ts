import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance } from 'fastify';
import { apiForm } from '../../http/negotiation.js';
import { cacheControl } from '../../http/send-read.js';
import { limits } from '../../protocol/limits.js';
import { listContent, listCurated, readContent, readOutline } from '../../protocol/read-operations.js';
import { callContextOf } from '../../upstream/call-context.js';
import type { Gateway } from '../gateway.js';
import { notBlank } from '../not-blank.js';
import { registerOperation } from '../operation-route.js';
import { sendArticle } from '../send-article.js';
import { sendListing } from '../send-listing.js';
import { asksForPart, sendPart } from '../send-part.js';

/** Registers the routes of the index, the highlights and the articles (gateway/PROTOCOL.md#articles). */
export function registerContentRoutes(
  app: FastifyInstance,
  gateway: Pick<Gateway, 'content' | 'continuations' | 'fastPath' | 'tokens' | 'quota' | 'sites'>,
): void {
  const { content, fastPath, sites } = gateway;
  registerOperation(app, listContent, (request, reply) => {
    const { cursor = '', limit = limits.pageSize.default, q = '', updated_since, fields } = request.query;
    const site = sites.of(request.query, request.headers.host);
    const tag = notBlank('tag', request.query.tag);
    const updatedSince = timeOf(updated_since);
    const asked = { site, cursor, limit, q: q.trim(), tag, updatedSince, brief: fields === 'brief' };
    return sendListing(request, reply, () => content.index(asked, callContextOf(request)), fastPath);
  });

  registerOperation(app, listCurated, (request, reply) => {
    const site = sites.of(request.query, request.headers.host);
    const brief = request.query.fields === 'brief';
    return sendListing(request, reply, () => content.curated(site, callContextOf(request), brief), fastPath);
  });

  registerOperation(app, readContent, (request, reply) => {
    const { query, params } = request;
    const asked = { slug: params.slug, form: apiForm(request) };
    // Without these parameters nothing of parts is involved, and the bytes are the same for every reader.
    return asksForPart(query)
      ? sendPart(request, reply, { ...asked, query }, gateway)
      : sendArticle(request, reply, asked, gateway);
  });

  registerOperation(app, readOutline, (request, reply) => {
    const site = sites.of(request.query, request.headers.host);
    // A cache asks before it shows the headings of an article, which may be withdrawn by then.
    reply.header('cache-control', cacheControl.object);
    return sendListing(
      request,
      reply,
      () => content.outline(site, request.params.slug, callContextOf(request)),
      fastPath,
    );
  });
}

// Validation accepts a leap second (23:59:60), which a Date cannot represent.
function timeOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) {
    throw new KnowledgeError(
      'validation_error',
      'updated_since: must be a time like 2026-06-01T09:00:00Z, without a leap second.',
    );
  }
  return time;
}
