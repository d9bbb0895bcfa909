import { clientAddressOf, networkOf } from '@knowledge/runtime/http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readContent } from '../protocol/articles.js';
import { readObject } from '../protocol/objects.js';
import { routePath } from '../protocol/operation.js';
import { type SearchCounts, textKey } from '../upstream/content/search-counts.js';
import type { Sites } from '../upstream/sites.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The search that the response answers; the search routes set it for the first page of hits. */
    searched: { readonly query: string; readonly found: readonly string[] } | undefined;
  }
}

/** Counts searches, and reads of what they found, after their responses (gateway/PROTOCOL.md#search). */
export function registerSearchCounts(
  app: FastifyInstance,
  { searchCounts, sites }: { searchCounts: SearchCounts; sites: Sites },
): void {
  app.decorateRequest('searched', undefined);
  app.addHook('onResponse', (request, reply, done) => {
    if (request.method === 'GET' && reply.statusCode === 200) {
      const { searched } = request;
      const text = searched === undefined ? textOf(request, sites) : undefined;
      if (searched !== undefined) searchCounts.searched(readerOf(request), searched.query, searched.found);
      if (text !== undefined) searchCounts.read(readerOf(request), text);
    }
    done();
  });
}

const articlePaths: readonly string[] = [routePath(readContent), '/articles/:slug'];
const objectPaths: readonly string[] = [routePath(readObject), '/objects/:id'];

function textOf({ routeOptions, params, query, raw, headers }: FastifyRequest, sites: Sites) {
  const path = routeOptions.url ?? '';
  // A further part belongs to the read of the first.
  if ('continuation' in (query as object)) return undefined;
  const { slug = '', id = '' } = params as { slug?: string; id?: string };
  if (articlePaths.includes(path)) return textKey.article(sites.ofUnchecked(raw.url ?? '', headers.host), slug);
  return objectPaths.includes(path) ? textKey.object(id) : undefined;
}

// Tells readers apart as the read quota does, but without a call to identity. Only a hash of it leaves the process.
function readerOf(request: FastifyRequest) {
  const { 'x-agent-client-id': clientId, authorization } = request.headers;
  if (authorization !== undefined) return `token ${authorization}`;
  return typeof clientId === 'string' ? `client ${clientId}` : `address ${networkOf(clientAddressOf(request))}`;
}
