import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The key of an access page, from the query. Throws not_found if there is none. */
export function accessKeyOf(request: FastifyRequest): string {
  const key = mailedSecret(request, 'key');
  if (typeof key !== 'string' || key === '' || key.length > 512) {
    throw new KnowledgeError('not_found', 'This link is not valid, or not any more.');
  }
  return key;
}

/** A secret of a mailed link. Some programs write the `&` before it as `&amp;`. */
export function mailedSecret(request: FastifyRequest, name: 'code' | 'key'): unknown {
  const query = request.query as Record<string, unknown>;
  return query[name] ?? query[`amp;${name}`];
}

/** Redirects from a form to the access page, so that reloading does not send the form again. */
export function backToPage(reply: FastifyReply, query: { key: string } & Record<string, string>): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(`../access?${new URLSearchParams(query)}`, 303);
}
