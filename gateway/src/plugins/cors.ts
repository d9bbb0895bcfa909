import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Lets any page read the API (protocol.md section 7, reads); writes, and whatever needs a secret in its URL, are not for pages. */
export async function registerCors(app: FastifyInstance): Promise<void> {
  await app.register(
    cors,
    () => (request: FastifyRequest, done: (error: Error | null, options?: FastifyCorsOptions) => void) =>
      done(null, isRead(request) ? open : closed),
  );
}

const open: FastifyCorsOptions = {
  origin: '*',
  methods: ['GET', 'HEAD'],
  exposedHeaders: [
    'ETag',
    'Retry-After',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'X-Request-Id',
  ],
  maxAge: 86_400,
  strictPreflight: false,
};
const closed: FastifyCorsOptions = { origin: false };

function isRead({ method, raw: { url = '' } }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') return false;
  return (url.startsWith('/api') || url === '/llms.txt') && !url.startsWith('/api/v1/agent/authorize');
}
