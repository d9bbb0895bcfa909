import { hasCode, KnowledgeError } from '@knowledge/runtime';
import { createMarkdownRenderer } from '@knowledge/runtime/markdown';
import { publishedKindNames } from '@knowledge/runtime/product';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Gateway } from '../../api/gateway.js';
import { asksForPart, callsItselfAgent, countedRead, sendArticle, sendText } from '../../api/send-text.js';
import type { Documents } from '../../documents/documents.js';
import { limitPages } from '../../http/limit-routes.js';
import { prefersMarkdown } from '../../http/negotiation.js';
import { cacheControl, sendPublic } from '../../http/send-read.js';
import { type CallContext, callContextOf } from '../../upstream/calls.js';
import { otherSite, type SiteName } from '../../upstream/sites.js';
import { pageUrl } from '../parts/layout.js';
import { cacheControlOf, type PageParameters, registerPage, sendPage, withEtag } from '../parts/page-route.js';
import { type ArticlesQuery, type ArticlesResult, articlesPage, tagsPage } from './articles-page.js';
import { createDirectory, type Directory } from './directory.js';
import { createFeed, createSitemap } from './feed.js';
import { type FirstPageView, indexPage } from './index-page.js';
import { createListings, type Listings } from './listings.js';
import { objectPage, objectsPage } from './objects-page.js';
import { promptsPage } from './prompts-page.js';
import { choiceOf, numberOf, registerSearchPage, textOf } from './search-routes.js';
import { articlePage } from './text-page.js';

/** The size of the cache of rendered texts. */
const renderedBytes = 16 * 1024 * 1024;

type PageGateway = Pick<Gateway, 'config' | 'clients' | 'content' | 'tokens' | 'quota' | 'sites' | 'log'> & {
  readonly documents: Documents;
};

/** How many entries the first page and the lists show. */
const shown = { articles: 8, objects: 6, knowledge: 3, elsewhere: 5, aPage: 20 } as const;

/** Registers the pages for people. Their rate limit prevents agents from avoiding the quota. */
export async function registerPages(app: FastifyInstance, gateway: PageGateway): Promise<void> {
  const plugin: FastifyPluginAsync = async (pages) => {
    await limitPages(pages, gateway.config.PAGES_PER_ADDRESS);
    const lists = { directory: createDirectory(gateway.content), listings: createListings(gateway) };
    registerStarts(pages, gateway, lists);
    registerLists(pages, gateway, lists);
    registerTexts(pages, gateway, lists);
    registerFeeds(pages, gateway);
  };
  await app.register(plugin);
}

interface Lists {
  readonly directory: Directory;
  readonly listings: Listings;
}

function registerTexts(pages: FastifyInstance, gateway: PageGateway, { directory }: Lists) {
  const { content, sites } = gateway;
  const markdown = createMarkdownRenderer(renderedBytes);
  registerPage<{ slug: string }>(pages, sites, '/articles/:slug', async (request, reply) => {
    const { slug } = request.params;
    const asMarkdown = prefersMarkdown(request);
    const counts = callsItselfAgent(request);
    if ((asMarkdown || counts) && asksForPart(request.query as object)) throw partsElsewhere(slug);
    if (asMarkdown && counts) return sendArticle(request, reply, { slug, form: 'markdown' }, gateway);
    const site = sites.ofRequest(request);
    if (asMarkdown) {
      const text = await content.article(site, slug, 'markdown', callContextOf(request));
      return sendText(request, reply, text, 'markdown', cacheControl.article);
    }
    // Reads the article at each request, so that a withdrawal takes effect as fast as in the API.
    const read = async () => {
      const context = callContextOf(request);
      const article = await content.readArticle(site, slug, context);
      const attempt = optionalReader(request, gateway);
      const adjacent = (await attempt(() => directory.adjacent(site, slug, context))) ?? {};
      return withEtag(articlePage(article, adjacent, sites, markdown));
    };
    const shown = counts ? await countedRead(request, reply, gateway, read) : await read();
    reply.header('vary', 'Accept, Authorization, X-Agent-Client-Id');
    return sendPage(request, reply, shown, counts ? cacheControl.article : cacheControl.object);
  });

  registerPage<{ id: string }>(pages, sites, '/objects/:id', async (request, reply) => {
    const { id } = request.params;
    const context = callContextOf(request);
    if (prefersMarkdown(request)) {
      return sendText(request, reply, await content.object(id, 'markdown', context), 'markdown', cacheControl.object);
    }
    const object = await content.readObject(id, context);
    return sendPage(request, reply.header('vary', 'Accept'), objectPage(object, sites, markdown), cacheControl.object);
  });
}

/** Registers the pages on which readers begin: the first page and the search. */
function registerStarts(pages: FastifyInstance, gateway: PageGateway, { directory, listings }: Lists) {
  const { sites, documents } = gateway;
  registerPage(pages, sites, '/', async (request, reply) => {
    const site = sites.ofRequest(request);
    reply.header('vary', 'Accept');
    if (prefersMarkdown(request)) {
      const text = documents.get('agentEntryText', site);
      return sendPublic(request, reply, text, cacheControl.listing, 'text/markdown; charset=utf-8');
    }
    const context = callContextOf(request);
    const attempt = optionalReader(request, gateway);
    const [highlights, articles, community, knowledge, prompt, elsewhere] = await Promise.all([
      attempt(() => listings.highlights(site, context)),
      attempt(() => listings.articles({ site, limit: shown.articles }, context)),
      attempt(() => listings.community({ site, limit: shown.objects }, context)),
      attempt(() => listings.objects({ site, kind: 'knowledge', limit: shown.knowledge }, context)),
      attempt(async () => (await listings.activePrompt(site, context)) ?? null),
      attempt(() => listings.articles({ site: otherSite(site), limit: shown.elsewhere }, context)),
    ]);
    const view: FirstPageView = {
      highlights,
      articles: articles?.entries,
      community,
      knowledge: knowledge?.entries,
      prompt,
      elsewhere: elsewhere?.entries,
    };
    return sendPage(request, reply, indexPage(site, view, sites), cacheControlOf(Object.values(view)));
  });

  registerSearchPage(pages, gateway, async (site, request) => {
    const context = callContextOf(request);
    const attempt = optionalReader(request, gateway);
    const [highlights, facets] = await Promise.all([
      attempt(() => listings.highlights(site, context)),
      attempt(() => directory.facets(site, context)),
    ]);
    return { highlights, tags: facets?.tags };
  });
}

function registerLists(pages: FastifyInstance, gateway: PageGateway, { directory, listings }: Lists) {
  const { sites } = gateway;
  /** Registers a list that is shown whole or not at all. */
  const listPage = (
    url: string,
    render: (site: SiteName, context: CallContext, query: PageParameters) => Promise<string>,
  ) =>
    registerPage(pages, sites, url, async (request, reply) => {
      const markup = await render(sites.ofRequest(request), callContextOf(request), request.query);
      return sendPage(request, reply, markup, cacheControl.listing);
    });

  listPage('/articles', async (site, context, query) => {
    const filters = {
      site,
      q: textOf(query, 'q'),
      // Tags are in lower case, and filters take any.
      tag: textOf(query, 'tag').toLowerCase(),
      language: textOf(query, 'language'),
      author: textOf(query, 'author'),
      page: numberOf(query, 'page', 4) ?? 1,
      cursor: textOf(query, 'cursor'),
    };
    // Searches and cursors have no numbered pages.
    if (filters.q !== '' || filters.cursor !== '') filters.page = 1;
    return articlesPage(filters, await findArticles(filters, listings, directory, context), sites);
  });

  listPage('/tags', async (site, context) => tagsPage(site, await directory.facets(site, context), sites));

  listPage('/objects', async (site, context, query) => {
    const filters = { site, kind: choiceOf(query, 'kind', publishedKindNames), cursor: textOf(query, 'cursor') };
    return objectsPage(filters, await listings.objects({ ...filters, limit: shown.aPage }, context), sites);
  });

  registerPage(pages, sites, '/prompts', async (request, reply) => {
    const site = sites.ofRequest(request);
    const cursor = textOf(request.query, 'cursor');
    const context = callContextOf(request);
    const attempt = optionalReader(request, gateway);
    const [prompts, replies] = await Promise.all([
      attempt(() => listings.prompts(site, cursor, context)),
      attempt(() => listings.replies(site, context)),
    ]);
    const markup = promptsPage({ site, cursor, prompts, replies }, sites);
    return sendPage(request, reply, markup, cacheControlOf([prompts, replies]));
  });
}

/** Searches and lists of old articles use cursors. Other lists use page numbers from the directory. */
async function findArticles(
  query: ArticlesQuery,
  listings: Listings,
  directory: Directory,
  context: CallContext,
): Promise<ArticlesResult> {
  const { site, q, page: number, cursor } = query;
  if (q === '' && cursor === '') {
    return directory.list({ ...query, from: (number - 1) * shown.aPage, count: shown.aPage }, context);
  }
  const found = await listings.articles({ ...query, limit: shown.aPage }, context);
  const { entries, total = null, next_cursor, hint = null } = found;
  const result = { entries, total, hasMore: false, cursor: next_cursor ?? '', hint };
  if (q === '' || entries.length > 0) return result;
  const other = await listings.articles({ site: otherSite(site), q, limit: 1 }, context);
  return { ...result, isElsewhere: other.entries.length > 0 };
}

function registerFeeds(pages: FastifyInstance, { content, sites }: PageGateway) {
  const feed = createFeed(content, sites);
  registerPage(pages, sites, '/feed.xml', async (request, reply) => {
    const { xml, updated } = await feed(sites.ofRequest(request), callContextOf(request));
    // The clock of content may be ahead of ours (RFC 9110, 8.8.2.1).
    reply.header('last-modified', new Date(Math.min(Date.parse(updated), Date.now())).toUTCString());
    return sendPublic(request, reply, withEtag(xml), cacheControl.listing, 'application/atom+xml; charset=utf-8');
  });

  // Where other systems have their feed, so that readers find it after a move.
  for (const path of ['/feed', '/rss', '/rss.xml', '/atom.xml', '/index.xml']) {
    registerPage(pages, sites, path, async (request, reply) => {
      const place = pageUrl('/feed.xml', sites.ofRequest(request), sites);
      return reply.header('cache-control', cacheControl.listing).redirect(place, 301);
    });
  }

  const sitemap = createSitemap(content, sites);
  registerPage(pages, sites, '/sitemap.xml', async (request, reply) => {
    const site = sites.ofRequest(request);
    const xml = await sitemap(site, numberOf(request.query, 'part', 5), callContextOf(request));
    return sendPublic(request, reply, withEtag(xml), cacheControl.listing, 'application/xml; charset=utf-8');
  });
}

// An agent that asks for a part would otherwise get the whole text, and the read would count.
function partsElsewhere(slug: string) {
  return new KnowledgeError(
    'validation_error',
    `section, max_tokens, continuation: parts of an article are at /api/v1/content/${slug}, as JSON and as Markdown. Nothing was counted.`,
  );
}

/** Returns a function that reads an optional part of a page; undefined if its service is unavailable. */
function optionalReader(request: FastifyRequest, { log }: PageGateway) {
  return async <T>(read: () => Promise<T>) => {
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
