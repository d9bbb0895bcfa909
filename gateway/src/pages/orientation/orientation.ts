import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Gateway } from '../../api/gateway.js';
import { linkToApi } from '../../api/link-header.js';
import { registerOperation } from '../../api/operation-route.js';
import type { Documents } from '../../documents/documents.js';
import { securityText, securityTextPath } from '../../documents/operator.js';
import { strongEtag } from '../../http/envelope.js';
import { mediaTypes, preferredType, prefersMarkdown } from '../../http/negotiation.js';
import { cacheControl, sendRead } from '../../http/send-read.js';
import { readAgentEntry } from '../../protocol/document-operations.js';
import { apiCatalogPath } from '../../protocol/links.js';
import type { SiteName } from '../../upstream/sites.js';
import { sendPage } from '../parts/send-page.js';
import { aboutPage } from './about-page.js';
import { guidePage } from './guide-page.js';

const { json, markdown, html } = mediaTypes;
const markdownType = 'text/markdown; charset=utf-8';
const textType = 'text/plain; charset=utf-8';
const catalogType = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/** Serves the orientation documents, which need no service behind the gateway. */
export function registerOrientation(
  app: FastifyInstance,
  { documents, sites }: { documents: Documents } & Pick<Gateway, 'sites'>,
): void {
  const hooks = { onRequest: linkToApi(sites) };
  const pages = new Map<string, string>();
  const sendText = (
    request: FastifyRequest,
    reply: FastifyReply,
    name: 'agentEntryText' | 'guide',
    { site, type }: { site: SiteName; type: 'html' | 'markdown' },
  ) => {
    const text = documents.get(name, site);
    if (type === 'markdown') return sendRead(request, reply, text, cacheControl.listing, markdownType);
    const page = pages.get(name + site) ?? guidePage(text.body.toString(), documents.service(site), sites);
    pages.set(name + site, page);
    return sendPage(request, reply, page, cacheControl.listing);
  };

  registerOperation(
    app,
    readAgentEntry,
    async (request, reply) => {
      const site = sites.of(request.query, request.headers.host);
      reply.header('vary', 'Accept');
      const type = preferredType(request, [json, markdown, html]);
      if (type === json) return sendRead(request, reply, documents.get('agentEntry', site), cacheControl.listing);
      return sendText(request, reply, 'agentEntryText', { site, type: type === html ? 'html' : 'markdown' });
    },
    hooks,
  );

  app.route<{ Querystring: { site?: unknown } }>({
    method: ['GET', 'HEAD'],
    url: '/for-agents',
    ...hooks,
    handler: async (request, reply) => {
      const site = sites.of(request.query, request.headers.host);
      const type = prefersMarkdown(request) ? 'markdown' : 'html';
      return sendText(request, reply.header('vary', 'Accept'), 'guide', { site, type });
    },
  });

  app.route<{ Querystring: { site?: unknown } }>({
    method: ['GET', 'HEAD'],
    url: '/about',
    ...hooks,
    handler: async (request, reply) => {
      const site = sites.of(request.query, request.headers.host);
      return sendPage(request, reply, aboutPage(documents.service(site), sites), cacheControl.listing);
    },
  });

  app.route<{ Querystring: { site?: unknown } }>({
    method: ['GET', 'HEAD'],
    url: securityTextPath,
    ...hooks,
    handler: async (request, reply) => {
      const site = sites.of(request.query, request.headers.host);
      const body = Buffer.from(securityText(documents.service(site), new Date()));
      return sendRead(request, reply, { body, etag: strongEtag(body) }, cacheControl.listing, textType);
    },
  });

  for (const [url, name, type] of [
    ['/llms.txt', 'llms', textType],
    ['/robots.txt', 'robots', textType],
    [apiCatalogPath, 'apiCatalog', catalogType],
  ] as const) {
    app.route<{ Querystring: { site?: unknown } }>({
      method: ['GET', 'HEAD'],
      url,
      ...hooks,
      handler: async (request, reply) => {
        const site = sites.of(request.query, request.headers.host);
        return sendRead(request, reply, documents.get(name, site), cacheControl.listing, type);
      },
    });
  }
}
