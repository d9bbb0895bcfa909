import { codePoints, refuse } from '@knowledge/runtime';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Gateway } from '../../api/gateway.js';
import type { Hit } from '../../present/search.js';
import { limits } from '../../protocol/limits.js';
import { kindFilters, type SearchResultsSchema, searchSites } from '../../protocol/search.js';
import { type CallContext, callContextOf } from '../../upstream/calls.js';
import type { SiteName } from '../../upstream/sites.js';
import { cacheControlOf, type PageParameters, registerPage, sendPage } from '../parts/page-route.js';
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
    const site = choiceOf(query, 'site', searchSites);
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
    return sendPage(request, reply, searchPage(asked, found, start, sites), cacheControlOf(Object.values(start ?? {})));
  });
}

/** The text of a query parameter, or '' without it. Throws validation_error if it comes twice or is too long. */
export function textOf(query: PageParameters, name: keyof typeof longest): string {
  const value = query[name] ?? '';
  const max = longest[name];
  if (typeof value === 'string' && codePoints(value) <= max) return value.trim();
  refuse(`${name}: must be given once, with at most ${max} characters`);
}

const longest = {
  q: limits.query.max,
  tag: limits.tag.max,
  cursor: limits.cursor.max,
  language: limits.language.max,
  author: limits.name.max,
} as const;

/** A number of at most `digits` digits, from 1; undefined without the parameter. Throws validation_error for any other value. */
export function numberOf(query: PageParameters, name: 'page' | 'part', digits: number): number | undefined {
  const value = query[name];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && /^[1-9]\d*$/.test(value) && value.length <= digits) return Number(value);
  refuse(`${name}: must be a number from 1, given once`);
}

/** One of the choices, or undefined without the parameter. Throws validation_error for any other value. */
export function choiceOf<T extends string>(query: PageParameters, name: string, choices: readonly T[]): T | undefined {
  const value = query[name];
  if (value === undefined || value === '') return undefined;
  const chosen = choices.find((choice) => choice === value);
  if (chosen !== undefined) return chosen;
  refuse(`${name}: must be one of ${choices.join(', ')}`);
}
