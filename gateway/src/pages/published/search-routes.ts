import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Gateway } from '../../api/gateway.js';
import { cacheControl } from '../../http/send-read.js';
import type { Hit } from '../../present/search.js';
import { kindFilters } from '../../protocol/search-operation.js';
import type { SearchResultsSchema } from '../../protocol/search-schemas.js';
import { type CallContext, callContextOf } from '../../upstream/call-context.js';
import { type SiteName, siteNames } from '../../upstream/sites.js';
import { registerPage } from '../parts/page-route.js';
import { sendPage } from '../parts/send-page.js';
import { choiceOf, textOf } from './query.js';
import { type AskedSearch, type FoundSearch, type SearchStart, searchPage } from './search-page.js';

/** How many hits a page shows, and how many of the other site where little was found. */
const shown = { hits: 20, elsewhere: 3 } as const;

type SearchBody = Omit<Static<typeof SearchResultsSchema>, 'entries'> & { readonly entries: readonly Hit[] };

/** Registers `/search`, which shows people the search of the API, and where to start if nothing is found. */
export function registerSearchPage(
  pages: FastifyInstance,
  { content, sites }: Pick<Gateway, 'content' | 'sites'>,
  startOf: (site: SiteName, request: FastifyRequest) => Promise<SearchStart>,
): void {
  const find = async (asked: AskedSearch, limit: number, context: CallContext) => {
    const { body, found = [] } = await content.search({ ...asked, limit, isBrief: false }, context);
    return { ...(JSON.parse(body.toString()) as SearchBody), fitting: found };
  };
  const search = async (
    asked: AskedSearch,
    context: CallContext,
  ): Promise<FoundSearch & { fitting: readonly string[] }> => {
    const found = await find(asked, shown.hits, context);
    const [other] = found.other_sites.filter(({ total }) => total > 0);
    if (other === undefined || asked.cursor !== '' || found.fitting.length >= shown.elsewhere) {
      return { ...found, elsewhere: [] };
    }
    const { entries } = await find({ ...asked, site: other.site }, shown.elsewhere, context);
    return { ...found, elsewhere: entries.filter(({ weak }) => !weak) };
  };
  registerPage(pages, sites, '/search', async (request, reply) => {
    const { query, headers } = request;
    const site = choiceOf(query, 'site', [...siteNames, 'all'] as const);
    const home = sites.of(site === 'all' ? {} : { site }, headers.host);
    const asked: AskedSearch = {
      home,
      site: site === 'all' ? 'all' : home,
      q: textOf(query, 'q'),
      kind: choiceOf(query, 'kind', kindFilters) ?? '',
      language: textOf(query, 'language'),
      tag: textOf(query, 'tag'),
      author: textOf(query, 'author'),
      cursor: textOf(query, 'cursor'),
    };
    const found = asked.q === '' ? undefined : await search(asked, callContextOf(request));
    if (found !== undefined && asked.cursor === '') request.searched = { query: asked.q, found: found.fitting };
    const start = found === undefined || found.total === 0 ? await startOf(home, request) : undefined;
    const policy = Object.values(start ?? {}).includes(undefined) ? 'no-store' : cacheControl.listing;
    return sendPage(request, reply, searchPage(asked, found, start, sites), policy);
  });
}
