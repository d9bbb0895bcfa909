import csrf from '@fastify/csrf-protection';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Cookies } from '../staff/cookies.js';
import { isUnsafe } from './request-checks.js';

/** Refuses every request that changes something and lacks the token of the browser's CSRF cookie. */
export async function registerCsrf(app: FastifyInstance, cookies: Cookies): Promise<void> {
  await app.register(csrf, { cookieKey: cookies.nameOf('csrf'), cookieOpts: cookies.options });
  app.addHook('preHandler', (request, reply, done) => {
    if (isUnsafe(request)) app.csrfProtection(request, reply, done);
    else done();
  });
}

const tokens = new WeakMap<FastifyReply, string>();

/** The token that the forms of this response send as `_csrf`, and htmx as a header. */
export function csrfTokenOf(reply: FastifyReply): string {
  const token = tokens.get(reply) ?? reply.generateCsrf();
  tokens.set(reply, token);
  return token;
}
