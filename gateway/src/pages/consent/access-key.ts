import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The key of a human's own page. */
export function keyOf(request: FastifyRequest): string {
  const { key } = request.query as { key?: unknown };
  if (typeof key !== 'string' || key === '' || key.length > 512) {
    throw new KnowledgeError('not_found', 'This link is not valid, or not any more.');
  }
  return key;
}

/** Redirects from a form below /access to the page, so that reloading it repeats nothing. */
export function backToPage(reply: FastifyReply, query: { key: string } & Record<string, string>): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(`../access?${new URLSearchParams(query)}`, 303);
}
