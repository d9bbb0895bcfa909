import rateLimit from '@fastify/rate-limit';
import { KnowledgeError } from '@knowledge/runtime';
import { clientAddressOf, networkOf } from '@knowledge/runtime/http';
import type { FastifyInstance } from 'fastify';

/** Rate-limits all pages together, per client address and minute. */
export async function limitPages(pages: FastifyInstance, max: number): Promise<void> {
  const none = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false };
  await pages.register(rateLimit, {
    max,
    timeWindow: '1 minute',
    cache: 50_000,
    keyGenerator: (request) => networkOf(clientAddressOf(request)),
    // These headers belong to the read quota; this 429 has Retry-After anyway.
    addHeaders: { ...none, 'retry-after': false },
    addHeadersOnExceeding: none,
    errorResponseBuilder: (_request, { max: allowed, ttl }) =>
      new KnowledgeError('rate_limited', `${allowed} pages a minute are shown to one IP address; agents use /api/v1.`, {
        retryAfterSeconds: Math.ceil(ttl / 1000),
      }),
  });
}
