import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { linkToApi } from '../../api/operation-route.js';
import type { Sites } from '../../upstream/sites.js';

/** The query of a page request, before any check. */
export type PageQuery = Readonly<Record<string, unknown>>;

type PageRequest<Params> = FastifyRequest<{ Params: Params; Querystring: PageQuery }>;

/** Registers a page or document for GET and HEAD. All its responses, also errors, link to the API. */
export function registerPage<Params = unknown>(
  app: FastifyInstance,
  sites: Sites,
  url: string,
  handler: (request: PageRequest<Params>, reply: FastifyReply) => Promise<FastifyReply>,
): void {
  app.route<{ Params: Params; Querystring: PageQuery }>({
    method: ['GET', 'HEAD'],
    url,
    onRequest: linkToApi(sites),
    handler: handler as never,
  });
}
