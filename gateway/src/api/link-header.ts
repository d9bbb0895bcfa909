import type { onRequestAsyncHookHandler } from 'fastify';
import { linkHeader, serviceLinks } from '../protocol/links.js';
import { type SiteName, type Sites, siteNames } from '../upstream/sites.js';

/** Makes an `onRequest` hook that adds links to the API to each response of a route, also to failures. */
export function linkToApi(sites: Sites): onRequestAsyncHookHandler {
  const headers = Object.fromEntries(
    siteNames.map((site) => [site, linkHeader(serviceLinks({ site, base: sites.base(site) }))]),
  );
  return async (request, reply) => {
    const { site } = (request.query ?? {}) as { site?: unknown };
    const known = siteNames.includes(site as SiteName) ? { site } : {};
    reply.header('link', headers[sites.of(known, request.headers.host)]);
  };
}
