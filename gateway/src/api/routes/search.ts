import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance } from 'fastify';
import { limits } from '../../protocol/limits.js';
import { search } from '../../protocol/search-operation.js';
import { callContextOf } from '../../upstream/call-context.js';
import type { Gateway } from '../gateway.js';
import { registerOperation } from '../operation-route.js';
import { sendListing } from '../send-listing.js';

/** Registers the search over articles and objects (gateway/PROTOCOL.md#search). */
export function registerSearchRoutes(
  app: FastifyInstance,
  { content, fastPath, sites }: Pick<Gateway, 'content' | 'fastPath' | 'sites'>,
): void {
  registerOperation(app, search, async (request, reply) => {
    const { query, headers } = request;
    const { kind = '', language = '', tag = '', author = '', cursor = '', limit = limits.searchSize.default } = query;
    const site = query.site === 'all' ? query.site : sites.of({ site: query.site }, headers.host);
    const q = query.q.trim();
    if (q === '') throw new KnowledgeError('validation_error', 'q: must not be empty.');
    const isBrief = query.fields === 'brief';
    const asked = { site, q, kind, language, tag, author: author.trim(), limit, isBrief, cursor };
    const read = async () => {
      const response = await content.search(asked, callContextOf(request));
      if (cursor === '') request.searched = { query: q, found: response.found ?? [] };
      return response;
    };
    // The first page is counted as a search of its reader, whom the fast path does not know.
    return sendListing(request, reply, read, cursor === '' ? undefined : fastPath);
  });
}
