import { hasCode } from '@knowledge/runtime';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { callsItselfAgent, countedRead } from '../../api/counted-read.js';
import type { Gateway } from '../../api/gateway.js';
import { linkToApi } from '../../api/link-header.js';
import { sendArticle } from '../../api/send-article.js';
import { sendText } from '../../api/send-text.js';
import { strongEtag } from '../../http/envelope.js';
import { prefersMarkdown } from '../../http/negotiation.js';
import { cacheControl, sendRead } from '../../http/send-read.js';
import { type CallContext, callContextOf } from '../../upstream/call-context.js';
import { createCommunityMarkdown } from '../parts/markdown.js';
import { renderPage, sendPage, sendRendered } from '../parts/send-page.js';
import { articlePage } from './article-page.js';
import { type ArticlesAsked, type ArticlesFound, articlesPage } from './articles-page.js';
import { createDirectory, type Directory } from './directory.js';
import { createFeed } from './feed.js';
import { type First, indexPage } from './index-page.js';
import { limitPages } from './limit-pages.js';
import { createListings, type Listings } from './listings.js';
import { objectPage } from './object-page.js';
import { kindNames, objectsPage } from './objects-page.js';
import { promptsPage } from './prompts-page.js';
import { choiceOf, type PageQuery, pageOf, textOf } from './query.js';
import { registerSitemap } from './sitemap-route.js';
import { tagsPage } from './tags-page.js';

/** Memory for rendered texts. */
const renderedBytes = 16 * 1024 * 1024;

type PageGateway = Pick<Gateway, 'config' | 'clients' | 'content' | 'tokens' | 'quota' | 'sites' | 'log'>;

/** How much the first page and the lists show. */
const shown = { articles: 8, objects: 6, elsewhere: 5, aPage: 20 } as const;

/** The pages for people. Their rate limit keeps agents from reading around the quota. */
export async function registerPages(app: FastifyInstance, gateway: PageGateway): Promise<void> {
  const plugin: FastifyPluginAsync = async (pages) => {
    await limitPages(pages, gateway.config.PAGES_PER_ADDRESS);
    pages.addHook('onRequest', linkToApi(gateway.sites));
    registerFirst(pages, gateway);
    const directory = createDirectory(gateway.content);
    registerTexts(pages, gateway, directory);
    registerLists(pages, gateway, directory);
    registerFeed(pages, gateway);
    registerSitemap(pages, gateway);
  };
  await app.register(plugin);
}

function registerFirst(pages: FastifyInstance, gateway: PageGateway): void {
  const { sites } = gateway;
  const listings = createListings(gateway);
  page(pages, '/', async (request, reply) => {
    const site = sites.of(request.query, request.headers.host);
    const other = site === 'io' ? 'org' : 'io';
    const asker = callContextOf(request);
    const attempt = attempts(request, gateway);
    const [highlights, articles, objects, prompt, elsewhere] = await Promise.all([
      attempt(() => listings.highlights(site, asker)),
      attempt(() => listings.articles({ site, limit: shown.articles }, asker)),
      attempt(() => listings.objects({ site, limit: shown.objects }, asker)),
      attempt(async () => (await listings.activePrompt(site, asker)) ?? null),
      attempt(() => listings.articles({ site: other, limit: shown.elsewhere }, asker)),
    ]);
    const first: First = {
      highlights,
      articles: articles?.entries,
      objects: objects?.entries,
      prompt,
      elsewhere: elsewhere?.entries,
    };
    return sendPage(request, reply, indexPage(site, first, sites), keepOf(Object.values(first)));
  });
}

function registerTexts(pages: FastifyInstance, gateway: PageGateway, directory: Directory): void {
  const { content, sites } = gateway;
  const markdown = createCommunityMarkdown(renderedBytes);
  page<{ slug: string }>(pages, '/articles/:slug', async (request, reply) => {
    const { slug } = request.params;
    // Markdown is for agents, so it counts as a read.
    if (prefersMarkdown(request)) return sendArticle(request, reply, { slug, form: 'markdown' }, gateway);
    const site = sites.of(request.query, request.headers.host);
    // Read for each request, so that a withdrawn article is gone as fast as from the API.
    const read = async () => {
      const asker = callContextOf(request);
      const article = await content.readArticle(site, slug, asker);
      const beside = (await attempts(request, gateway)(() => directory.beside(site, slug, asker))) ?? {};
      return renderPage(articlePage(article, beside, sites, markdown));
    };
    const counts = callsItselfAgent(request);
    const shown = counts ? await countedRead(request, reply, gateway, read) : await read();
    reply.header('vary', 'Accept, Authorization, X-Agent-Client-Id');
    return sendRendered(request, reply, shown, counts ? cacheControl.article : cacheControl.object);
  });

  page<{ id: string }>(pages, '/objects/:id', async (request, reply) => {
    const { id } = request.params;
    const asker = callContextOf(request);
    if (prefersMarkdown(request)) {
      return sendText(request, reply, await content.object(id, 'markdown', asker), 'markdown', cacheControl.object);
    }
    const object = await content.readObject(id, asker);
    return sendPage(request, reply.header('vary', 'Accept'), objectPage(object, sites, markdown), cacheControl.object);
  });
}

function registerLists(pages: FastifyInstance, gateway: PageGateway, directory: Directory): void {
  const { sites } = gateway;
  const listings = createListings(gateway);
  page(pages, '/articles', async (request, reply) => {
    const { query } = request;
    const site = sites.of(query, request.headers.host);
    const asked = {
      site,
      q: textOf(query, 'q'),
      tag: textOf(query, 'tag'),
      language: textOf(query, 'language'),
      author: textOf(query, 'author'),
      page: pageOf(query),
      cursor: textOf(query, 'cursor'),
    };
    // Searches and cursors have no numbered pages.
    if (asked.q !== '' || asked.cursor !== '') asked.page = 1;
    const found = await findArticles(asked, listings, directory, callContextOf(request));
    return sendPage(request, reply, articlesPage(asked, found, sites), cacheControl.listing);
  });

  page(pages, '/tags', async (request, reply) => {
    const site = sites.of(request.query, request.headers.host);
    const facets = await directory.facets(site, callContextOf(request));
    return sendPage(request, reply, tagsPage(site, facets, sites), cacheControl.listing);
  });

  page(pages, '/objects', async (request, reply) => {
    const { query } = request;
    const site = sites.of(query, request.headers.host);
    const asked = { site, kind: choiceOf(query, 'kind', kindNames), cursor: textOf(query, 'cursor') };
    const found = await listings.objects({ ...asked, limit: shown.aPage }, callContextOf(request));
    return sendPage(request, reply, objectsPage(asked, found, sites), cacheControl.listing);
  });

  page(pages, '/prompts', async (request, reply) => {
    const site = sites.of(request.query, request.headers.host);
    const cursor = textOf(request.query, 'cursor');
    const asker = callContextOf(request);
    const attempt = attempts(request, gateway);
    const [prompts, replies] = await Promise.all([
      attempt(() => listings.prompts(site, cursor, asker)),
      attempt(() => listings.replies(site, asker)),
    ]);
    const markup = promptsPage({ site, cursor, prompts, replies }, sites);
    return sendPage(request, reply, markup, keepOf([prompts, replies]));
  });
}

/** Searches, and lists beyond the reach of the directory, use cursors; other lists use numbers. */
async function findArticles(
  asked: ArticlesAsked,
  listings: Listings,
  directory: Directory,
  asker: CallContext,
): Promise<ArticlesFound> {
  const { site, q, page: number, cursor } = asked;
  if (q === '' && cursor === '') {
    return directory.list({ ...asked, from: (number - 1) * shown.aPage, count: shown.aPage }, asker);
  }
  const found = await listings.articles({ ...asked, limit: shown.aPage }, asker);
  const { entries, total, next_cursor } = found;
  const answer = { entries, total, hasMore: false, cursor: next_cursor ?? '' };
  if (q === '' || entries.length > 0) return answer;
  const other = await listings.articles({ site: site === 'io' ? 'org' : 'io', q, limit: 1 }, asker);
  return { ...answer, isElsewhere: other.entries.length > 0 };
}

function registerFeed(pages: FastifyInstance, { content, sites }: PageGateway): void {
  const feed = createFeed(content, sites);
  page(pages, '/feed.xml', async (request, reply) => {
    const body = Buffer.from(await feed.of(sites.of(request.query, request.headers.host), callContextOf(request)));
    const sent = { body, etag: strongEtag(body) };
    return sendRead(request, reply, sent, cacheControl.listing, 'application/atom+xml; charset=utf-8');
  });
}

type PageRequest<Params> = FastifyRequest<{ Params: Params; Querystring: PageQuery }>;

function page<Params = unknown>(
  pages: FastifyInstance,
  url: string,
  handler: (request: PageRequest<Params>, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  pages.route<{ Params: Params; Querystring: PageQuery }>({ method: ['GET', 'HEAD'], url, handler: handler as never });
}

/** Reads a part that the page can do without; undefined if its service is unavailable. */
function attempts(request: FastifyRequest, { log }: PageGateway) {
  return async <T>(read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (!hasCode(error, 'unavailable')) throw error;
      const line = { request_id: request.id, route: request.routeOptions.url, cause: error.message };
      log.warn(line, 'a page is shown without a part of it');
      return undefined;
    }
  };
}

// An incomplete page is not cached.
function keepOf(parts: readonly unknown[]): string {
  return parts.includes(undefined) ? 'no-store' : cacheControl.listing;
}
