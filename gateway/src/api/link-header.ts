import type { onRequestAsyncHookHandler } from 'fastify';
import { linkHeader, serviceLinks } from '../protocol/links.js';
import { type Sites, siteNames } from '../upstream/sites.js';

/** Makes an `onRequest` hook that adds links to the API to each response of a route, also to failures. */
export function linkToApi(sites: Sites): onRequestAsyncHookHandler {
  const headers = Object.fromEntries(
    siteNames.map((site) => [site, linkHeader(serviceLinks({ site, base: sites.base(site) }))]),
  );
  return async (request, reply) => {
    reply.header('link', headers[sites.ofUnchecked(request.raw.url ?? '', request.headers.host)]);
  };
}
