import type { RateLimitPluginOptions } from '@fastify/rate-limit';
import rateLimit from '@fastify/rate-limit';
import { bucketsOf, KnowledgeError } from '@knowledge/runtime';
import { clientAddressOf } from '@knowledge/runtime/http';
import type { FastifyInstance, FastifyRequest } from 'fastify';

interface RouteLimit extends Pick<RateLimitPluginOptions, 'keyGenerator' | 'hook' | 'allowList'> {
  /** The number of requests a minute. */
  readonly max: number | ((request: FastifyRequest) => number);
  /** What the failure says after this number. */
  readonly why: string;
}

/** Rate-limits all pages together, per minute and client address; of IPv6 also per network around it. */
export async function limitPages(pages: FastifyInstance, max: number): Promise<void> {
  const why = 'pages a minute are shown to one IP address; agents use /api/v1.';
  const bucketOf = (request: FastifyRequest, at: number) => bucketsOf(clientAddressOf(request))[at];
  for (const at of [0, 1, 2]) {
    await limitRoutes(pages, {
      max: (request) => max * (bucketOf(request, at)?.factor ?? 1),
      why,
      allowList: (request) => bucketOf(request, at) === undefined,
      keyGenerator: (request) => bucketOf(request, at)?.network ?? '',
    });
  }
}

/** Rate-limits all routes of a scope together, per key and minute, in this process. */
export async function limitRoutes(scope: FastifyInstance, { why, ...limit }: RouteLimit): Promise<void> {
  const none = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false };
  await scope.register(rateLimit, {
    ...limit,
    timeWindow: '1 minute',
    cache: 50_000,
    // These headers belong to the read quota; this 429 has Retry-After anyway.
    addHeaders: { ...none, 'retry-after': false },
    addHeadersOnExceeding: none,
    errorResponseBuilder: (_request, { max, ttl }) =>
      new KnowledgeError('rate_limited', `${max} ${why}`, { retryAfterSeconds: Math.ceil(ttl / 1000) }),
  });
}
