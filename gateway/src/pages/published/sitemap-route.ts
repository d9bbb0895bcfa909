import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../api/gateway.js';
import { strongEtag } from '../../http/envelope.js';
import { cacheControl, sendRead } from '../../http/send-read.js';
import { callContextOf } from '../../upstream/call-context.js';
import type { PageQuery } from './query.js';
import { createSitemap } from './sitemap.js';

/** `/sitemap.xml`: everything that a site publishes, for search engines. */
export function registerSitemap(pages: FastifyInstance, { content, sites }: Pick<Gateway, 'content' | 'sites'>): void {
  const sitemap = createSitemap(content, sites);
  pages.route<{ Querystring: PageQuery }>({
    method: ['GET', 'HEAD'],
    url: '/sitemap.xml',
    handler: async (request, reply) => {
      const site = sites.of(request.query, request.headers.host);
      const xml = await sitemap.of(site, partOf(request.query), callContextOf(request));
      if (xml === undefined) throw new KnowledgeError('not_found', 'The sitemap has no such part.');
      const body = Buffer.from(xml);
      const sent = { body, etag: strongEtag(body) };
      return sendRead(request, reply, sent, cacheControl.listing, 'application/xml; charset=utf-8');
    },
  });
}

function partOf({ part }: PageQuery): number | undefined {
  if (part === undefined) return undefined;
  if (typeof part === 'string' && /^[1-9]\d{0,4}$/.test(part)) return Number(part);
  throw new KnowledgeError('validation_error', 'part: must be a number from 1, given once.');
}
