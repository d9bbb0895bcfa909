import type { FastifyInstance } from 'fastify';
import { limits } from '../../protocol/limits.js';
import { search } from '../../protocol/search-operation.js';
import { callContextOf } from '../../upstream/call-context.js';
import type { Gateway } from '../gateway.js';
import { notBlank } from '../not-blank.js';
import { registerOperation } from '../operation-route.js';
import { sendListing } from '../send-listing.js';

/** Registers the search over articles and objects (gateway/PROTOCOL.md#search). */
export function registerSearchRoutes(
  app: FastifyInstance,
  { content, fastPath, sites }: Pick<Gateway, 'content' | 'fastPath' | 'sites'>,
): void {
  registerOperation(app, search, async (request, reply) => {
    const { query, headers } = request;
    const { kind = '', language = '', cursor = '', limit = limits.searchSize.default, passages = 1 } = query;
    const site = query.site === 'all' ? query.site : sites.of({ site: query.site }, headers.host);
    const q = notBlank('q', query.q);
    const [tag, author] = [notBlank('tag', query.tag), notBlank('author', query.author)];
    const isBrief = query.fields === 'brief';
    const asked = { site, q, kind, language, tag, author, limit, passages, isBrief, cursor };
    const read = async () => {
      const response = await content.search(asked, callContextOf(request));
      if (cursor === '') request.searched = { query: q, found: response.found ?? [] };
      return response;
    };
    // The first page is counted as a search of its reader, whom the fast path does not know.
    return sendListing(request, reply, read, cursor === '' ? undefined : fastPath);
  });
}
