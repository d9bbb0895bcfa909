import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Sites, siteNames } from '../../upstream/sites.js';

/**
 * Refuses forms that a page of another site sent with the browser of its visitor. A browser says where a form stood, in
 * `Sec-Fetch-Site` or at least in `Origin`; programs say nothing. Our own pages send no referrer, so browsers say `null`.
 */
export function takeOwnForms(scope: FastifyInstance, sites: Sites): void {
  const origins = new Set(['null', ...siteNames.map((site) => new URL(sites.base(site)).origin)]);
  scope.addHook('onRequest', async ({ method, headers }) => {
    if (method === 'GET' || method === 'HEAD') return;
    const { origin, 'sec-fetch-site': from } = headers;
    const isOwn = from === undefined || from === 'same-origin' || from === 'none';
    if (isOwn && (origin === undefined || origins.has(origin))) return;
    throw new KnowledgeError(
      'bad_request',
      'A page of another site sent this form, so nothing was done. Open the page here and use its own button.',
    );
  });
}

/** Leads from a page with a slash at the end to the one without: its relative addresses would lead elsewhere. */
export function leaveSlash(scope: FastifyInstance, isPage: (request: FastifyRequest) => boolean = () => true): void {
  scope.addHook('onRequest', async (request, reply) => {
    const [, name, query = ''] = /([^/?]+)\/(\?.*)?$/.exec(request.url) ?? [];
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (name !== undefined && isRead && isPage(request)) return reply.redirect(`../${name}${query}`, 308);
  });
}
