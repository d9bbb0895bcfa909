import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Gateway } from '../context.js';
import type { Documents } from '../documents/documents.js';
import { mediaTypes, preferredType } from '../negotiation.js';
import { guidePage } from '../pages/guide-page.js';
import { sendPage } from '../pages/send-page.js';
import { readAgentEntry } from '../protocol/document-operations.js';
import type { SiteName } from '../sites.js';
import { registerOperation } from './operation-route.js';
import { cacheControl, sendRead } from './send-read.js';

const { json, markdown, html } = mediaTypes;
const markdownType = 'text/markdown; charset=utf-8';
const textType = 'text/plain; charset=utf-8';

/** Where agents and people begin (protocol.md section 7); all of it answers with everything behind the gateway down. */
export function registerOrientation(
  app: FastifyInstance,
  { documents, sites }: { documents: Documents } & Pick<Gateway, 'sites'>,
): void {
  const pages = new Map<SiteName, string>();
  const sendGuide = (request: FastifyRequest, reply: FastifyReply, site: SiteName, type: 'html' | 'markdown') => {
    const guide = documents.get('guide', site);
    if (type === 'markdown') return sendRead(request, reply, guide, cacheControl.listing, markdownType);
    const page = pages.get(site) ?? guidePage(guide.body.toString(), documents.service(site), sites);
    pages.set(site, page);
    return sendPage(request, reply, page, cacheControl.listing);
  };

  registerOperation(app, readAgentEntry, async (request, reply) => {
    const site = sites.of(request.query, request.headers.host);
    reply.header('vary', 'Accept');
    const type = preferredType(request, [json, markdown, html]);
    if (type === json) return sendRead(request, reply, documents.get('agentEntry', site), cacheControl.listing);
    return sendGuide(request, reply, site, type === html ? 'html' : 'markdown');
  });

  app.route<{ Querystring: { site?: unknown } }>({
    method: ['GET', 'HEAD'],
    url: '/for-agents',
    handler: async (request, reply) => {
      const site = sites.of(request.query, request.headers.host);
      const type = preferredType(request, [html, markdown]);
      return sendGuide(request, reply.header('vary', 'Accept'), site, type === html ? 'html' : 'markdown');
    },
  });

  for (const [url, name] of [
    ['/llms.txt', 'llms'],
    ['/robots.txt', 'robots'],
  ] as const) {
    app.route<{ Querystring: { site?: unknown } }>({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => {
        const site = sites.of(request.query, request.headers.host);
        return sendRead(request, reply, documents.get(name, site), cacheControl.listing, textType);
      },
    });
  }
}
