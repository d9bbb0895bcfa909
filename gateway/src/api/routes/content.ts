import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance } from 'fastify';
import { apiForm } from '../../http/negotiation.js';
import { limits } from '../../protocol/limits.js';
import { listContent, listCurated, readContent } from '../../protocol/read-operations.js';
import { callContextOf } from '../../upstream/call-context.js';
import type { Gateway } from '../gateway.js';
import { registerOperation } from '../operation-route.js';
import { sendArticle } from '../send-article.js';
import { sendListing } from '../send-listing.js';

/** Registers the routes of the index, the highlights and the articles (gateway/PROTOCOL.md#articles). */
export function registerContentRoutes(
  app: FastifyInstance,
  gateway: Pick<Gateway, 'content' | 'fastPath' | 'tokens' | 'quota' | 'sites'>,
): void {
  const { content, fastPath, sites } = gateway;
  registerOperation(app, listContent, (request, reply) => {
    const { cursor = '', limit = limits.pageSize.default, q = '', tag = '', updated_since } = request.query;
    const site = sites.of(request.query, request.headers.host);
    const updatedSince = timeOf(updated_since);
    const page = content.index({ site, cursor, limit, q: q.trim(), tag, updatedSince }, callContextOf(request));
    return sendListing(request, reply, page, fastPath);
  });

  registerOperation(app, listCurated, (request, reply) => {
    const site = sites.of(request.query, request.headers.host);
    return sendListing(request, reply, content.curated(site, callContextOf(request)), fastPath);
  });

  registerOperation(app, readContent, (request, reply) =>
    sendArticle(request, reply, { slug: request.params.slug, form: apiForm(request) }, gateway),
  );
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
