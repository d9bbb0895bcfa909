import { chunksOf, KnowledgeError } from '@knowledge/runtime';
import type { CallOptions } from '@knowledge/runtime/grpc';
import { bounds } from '@knowledge/runtime/product';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clients } from '../../upstream/clients.js';
import { type Sites, siteNames } from '../../upstream/sites.js';

/**
 * Refuses forms that a page of another site sent with the browser of its visitor. A browser says where a form stood, in
 * `Sec-Fetch-Site` or at least in `Origin`; programs say nothing. Our own pages send no referrer, so browsers say `null`.
 */
export function takeOwnForms(scope: FastifyInstance, sites: Sites): void {
  const origins = new Set(['null', ...siteNames.map((site) => new URL(sites.base(site)).origin)]);
  scope.addHook('onRequest', async ({ method, headers }) => {
    if (method === 'GET' || method === 'HEAD') return;
    const { origin, 'sec-fetch-site': from } = headers;
    const isOwn = from === undefined || from === 'same-origin' || from === 'none';
    if (isOwn && (origin === undefined || origins.has(origin))) return;
    throw new KnowledgeError(
      'bad_request',
      'A page of another site sent this form, so nothing was done. Open the page here and use its own button.',
    );
  });
}

/** The type of a route that takes a form, before any check of its fields. */
export interface FormRoute {
  Body: Readonly<Record<string, unknown>> | undefined;
}

/** Leads from a page with a slash at the end to the one without: its relative addresses would lead elsewhere. */
export function leaveSlash(scope: FastifyInstance, isPage: (request: FastifyRequest) => boolean = () => true): void {
  scope.addHook('onRequest', async (request, reply) => {
    const [, name, query = ''] = /^[^?]*\/([^/?]+)\/(\?.*)?$/.exec(request.url) ?? [];
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (name !== undefined && isRead && isPage(request)) return reply.redirect(`../${name}${query}`, 308);
  });
}

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

/** The authorizations that ended, and the address of their human. */
interface EndedAuthorizations {
  /** Empty if no texts are to be withdrawn. */
  readonly email: string;
  readonly authorizationIds: readonly string[];
}

/**
 * Withdraws contributions of ended authorizations that wait for review.
 * @returns their number; undefined if the call fails, and then the contributions service withdraws them later by itself
 */
export async function withdrawWaiting(
  { contributions }: Pick<Clients, 'contributions'>,
  { email, authorizationIds }: EndedAuthorizations,
  call: CallOptions,
): Promise<number | undefined> {
  if (email === '' || authorizationIds.length === 0) return undefined;
  const calls = chunksOf(authorizationIds, bounds.authorizationIds).map((ids) =>
    contributions.withdrawWaiting({ email, authorizationIds: ids }, call),
  );
  const responses = await Promise.all(calls).catch(() => undefined);
  return responses?.reduce((sum, { withdrawn }) => sum + withdrawn, 0);
}
