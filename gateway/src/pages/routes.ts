import rateLimit from '@fastify/rate-limit';
import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Static } from 'typebox';
import type { Gateway } from '../context.js';
import type { ArticleListSchema } from '../protocol/schemas.js';
import { askerOf } from '../routes/operation-route.js';
import { cacheControl } from '../routes/send-read.js';
import { type SiteName, siteNames } from '../sites.js';
import { articlePage } from './article-page.js';
import { indexPage, type Latest } from './index-page.js';
import { createCommunityMarkdown } from './markdown.js';
import { objectPage } from './object-page.js';
import { sendPage } from './send-page.js';

/** Memory for rendered texts. */
const renderedBytes = 16 * 1024 * 1024;

type PageGateway = Pick<Gateway, 'config' | 'content' | 'sites' | 'log'>;

/** How many articles of each site the first page shows. */
const latestCount = 10;

/** The pages for people, limited a client address and minute so that they are no way round the quota (protocol.md section 7). */
export async function registerPages(app: FastifyInstance, gateway: PageGateway): Promise<void> {
  const { content, sites } = gateway;
  const markdown = createCommunityMarkdown(renderedBytes);
  const plugin: FastifyPluginAsync = async (pages) => {
    await limitPages(pages, gateway.config.PAGES_PER_ADDRESS);

    pages.route<{ Querystring: { site?: unknown } }>({
      method: ['GET', 'HEAD'],
      url: '/',
      handler: async (request, reply) => {
        const site = sites.of(request.query, request.headers.host);
        const order = [site, ...siteNames.filter((each) => each !== site)];
        const latest = await Promise.all(order.map((each) => latestOf(each, gateway, request)));
        const whole = latest.every(({ entries }) => entries !== undefined);
        return sendPage(request, reply, indexPage(site, latest, sites), whole ? cacheControl.listing : 'no-store');
      },
    });

    pages.route<{ Params: { slug: string }; Querystring: { site?: unknown } }>({
      method: ['GET', 'HEAD'],
      url: '/articles/:slug',
      handler: async (request, reply) => {
        const site = sites.of(request.query, request.headers.host);
        // Asked for each time: what is withdrawn is gone from pages as fast as it is from the API.
        const article = await content.readArticle(site, request.params.slug, askerOf(request));
        return sendPage(request, reply, articlePage(article, sites, markdown), cacheControl.object);
      },
    });

    pages.route<{ Params: { id: string } }>({
      method: ['GET', 'HEAD'],
      url: '/objects/:id',
      handler: async (request, reply) => {
        const object = await content.readObject(request.params.id, askerOf(request));
        return sendPage(request, reply, objectPage(object, sites, markdown), cacheControl.object);
      },
    });
  };
  await app.register(plugin);
}

async function limitPages(pages: FastifyInstance, max: number): Promise<void> {
  const none = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false };
  await pages.register(rateLimit, {
    max,
    timeWindow: '1 minute',
    cache: 50_000,
    keyGenerator: addressKey,
    // Those headers tell of the read quota; Retry-After comes with every 429.
    addHeaders: { ...none, 'retry-after': false },
    addHeadersOnExceeding: none,
    errorResponseBuilder: (_request, { max: allowed, ttl }) =>
      new KnowledgeError('rate_limited', `${allowed} pages a minute are shown to one address; agents use /api/v1.`, {
        retryAfterSeconds: Math.ceil(ttl / 1000),
      }),
  });
}

// One IPv6 customer has a whole /64, as in the read quota (protocol.md section 4).
function addressKey({ ip }: FastifyRequest): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, 8).join('.');
}

// The first page is there although the articles cannot be listed.
async function latestOf(site: SiteName, { content, log }: PageGateway, request: FastifyRequest): Promise<Latest> {
  try {
    const query = { site, cursor: '', limit: latestCount, q: '', tag: '', updatedSince: undefined };
    const { body } = await content.index(query, askerOf(request));
    const { entries } = JSON.parse(body.toString()) as Static<typeof ArticleListSchema>;
    return { site, entries };
  } catch (error) {
    log.warn({ request_id: request.id, cause: (error as Error).message }, 'the first page shows no articles');
    return { site, entries: undefined };
  }
}
