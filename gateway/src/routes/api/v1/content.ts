import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../../context.js';
import { answerError } from '../../../error-handler.js';
import { limits } from '../../../protocol/limits.js';
import { listContent, listCurated, readContent } from '../../../protocol/read-operations.js';
import { rateLimitHeaders } from '../../../quota/quota.js';
import { readerOf } from '../../../reader/reader.js';
import { askerOf, registerOperation } from '../../operation-route.js';
import { cacheControl, hasAlready, sendListing, sendRead } from '../../send-read.js';

/** The index, the highlights and the articles themselves (protocol.md sections 3 and 4). */
export function registerContentRoutes(
  app: FastifyInstance,
  { content, front, identity, quota, sites }: Pick<Gateway, 'content' | 'front' | 'identity' | 'quota' | 'sites'>,
): void {
  registerOperation(app, listContent, (request, reply) => {
    const { cursor = '', limit = limits.pageSize.default, q = '', tag = '', updated_since } = request.query;
    const site = sites.of(request.query, request.headers.host);
    const updatedSince = timeOf(updated_since);
    const page = content.index({ site, cursor, limit, q: q.trim(), tag, updatedSince }, askerOf(request));
    return sendListing(request, reply, page, front);
  });

  registerOperation(app, listCurated, (request, reply) => {
    const site = sites.of(request.query, request.headers.host);
    return sendListing(request, reply, content.curated(site, askerOf(request)), front);
  });

  // Validate, identify, fetch, count, send: what fails before the count costs nothing, and nothing after it can fail.
  registerOperation(app, readContent, async (request, reply) => {
    const { slug } = request.params;
    const asker = askerOf(request);
    const site = sites.of(request.query, request.headers.host);
    const reader = await readerOf(request, identity, asker);
    const article = await content.article(site, slug, asker);
    if (request.method === 'HEAD' || hasAlready(request, article.etag)) {
      return sendRead(request, reply, article, cacheControl.article);
    }
    const { granted, allowance } = await quota.consume(reader.charges, asker);
    reply.headers(rateLimitHeaders(allowance));
    if (granted) return sendRead(request, reply, article, cacheControl.article);
    const wait = Math.ceil(((allowance.resetAt?.getTime() ?? Date.now()) - Date.now()) / 1000);
    const used = new KnowledgeError(
      'read_quota_exceeded',
      `All ${allowance.limit} article reads of this UTC day are used; read again after X-RateLimit-Reset${
        reader.subject === 'verified_email' ? '' : ', or ask your human to authorize you for 10 a day'
      }.`,
      { retryAfterSeconds: Math.max(1, wait) },
    );
    return answerError(used, reply);
  });
}

// The format is checked already, but it allows a leap second, which no Date is.
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
