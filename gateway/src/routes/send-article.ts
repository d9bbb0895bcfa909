import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Form } from '../content/content.js';
import type { Gateway } from '../context.js';
import { answerError } from '../error-handler.js';
import { rateLimitHeaders } from '../quota/quota.js';
import { usedUp } from '../quota/used-up.js';
import { readerOf } from '../reader/reader.js';
import { askerOf } from './operation-route.js';
import { cacheControl, hasAlready, sendText } from './send-read.js';

type Reading = Pick<Gateway, 'content' | 'identity' | 'quota' | 'sites'>;

/**
 * Sends an article that counts as a read of its reader (protocol.md section 4), in whichever form and at whichever URL it was
 * asked for. Validate, identify, fetch, count, send: what fails before the count costs nothing, and nothing after it can fail.
 */
export async function sendArticle(
  request: FastifyRequest,
  reply: FastifyReply,
  { slug, form }: { slug: string; form: Form },
  { content, identity, quota, sites }: Reading,
): Promise<FastifyReply> {
  const asker = askerOf(request);
  const site = sites.of(request.query as { site?: unknown }, request.headers.host);
  const reader = await readerOf(request, identity, asker);
  const article = await content.article(site, slug, form, asker);
  if (request.method === 'HEAD' || hasAlready(request, article.etag)) {
    return sendText(request, reply, article, form, cacheControl.article);
  }
  const { granted, allowance } = await quota.consume(reader.charges, asker);
  reply.headers(rateLimitHeaders(allowance));
  if (granted) return sendText(request, reply, article, form, cacheControl.article);
  return answerError(usedUp(allowance, reader.subject === 'verified_email'), reply);
}
