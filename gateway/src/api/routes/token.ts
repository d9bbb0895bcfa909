import { hasCode, KnowledgeError, timestamp } from '@knowledge/runtime';
import { fromWireScope } from '@knowledge/runtime/wire';
import type { FastifyInstance } from 'fastify';
import { bearerToken } from '../../http/bearer.js';
import { presentToken } from '../../present/authorization.js';
import { describeToken, exchangeToken, revokeToken } from '../../protocol/write-operations.js';
import { callContextOf, callOptions } from '../../upstream/call-context.js';
import { siteNames } from '../../upstream/sites.js';
import type { Gateway } from '../gateway.js';
import { registerOperation } from '../operation-route.js';
import { principalOf, requireToken } from '../require-token.js';

// Every mailbox gets this same text, so that nobody learns whether a mail arrived.
const stillPending =
  'Your human has not decided yet. The link of the mail is good for a shorter time than the request: if it is too old, its page mails a new one, until expires_at.';

/** Registers the routes that fetch, describe and revoke a token (gateway/PROTOCOL.md#tokens). */
export function registerTokenRoutes(
  app: FastifyInstance,
  { clients, tokens }: Pick<Gateway, 'clients' | 'tokens'>,
): void {
  registerOperation(app, exchangeToken, async (request, reply) => {
    const call = callOptions(callContextOf(request));
    const deviceCode = request.body.device_code;
    const { outcome } = await clients.identity.exchangeDeviceCode({ deviceCode }, call);
    reply.header('cache-control', 'no-store');
    switch (outcome?.$case) {
      case 'pending': {
        const { intervalSeconds, expiresAt } = outcome.value;
        const expires_at = timestamp(expiresAt ?? new Date(0));
        const state = 'pending' as const;
        return reply
          .code(202)
          .send({ ok: true, state, interval_seconds: intervalSeconds, expires_at, message: stillPending });
      }
      case 'issued': {
        const { secret, token } = outcome.value;
        if (token === undefined) throw new KnowledgeError('internal_error', 'A token came without its description.');
        return reply.send({
          ok: true,
          state: 'issued',
          token: secret,
          token_type: 'Bearer',
          scopes: token.scopes.map(fromWireScope),
          sites: siteNames,
          email: token.email,
          expires_at: timestamp(token.expiresAt ?? new Date(0)),
        });
      }
      case undefined:
        throw new KnowledgeError('internal_error', 'An exchange came back without an answer.');
    }
  });

  const hooks = { onRequest: requireToken(tokens) };

  registerOperation(
    app,
    describeToken,
    async (request, reply) => {
      const call = callOptions(callContextOf(request));
      const { tokenId } = principalOf(request);
      const { token } = await clients.identity.getToken({ tokenId }, call).catch((error: unknown) => {
        // The token was revoked elsewhere. Remove it from the cache, so that no later request can use it.
        if (hasCode(error, 'invalid_token')) tokens.forget(bearerToken(request.raw) ?? '');
        throw error;
      });
      if (token === undefined) throw new KnowledgeError('internal_error', 'A token came back without its description.');
      return reply.header('cache-control', 'no-store').send({ ok: true, token: presentToken(token) });
    },
    hooks,
  );

  registerOperation(
    app,
    revokeToken,
    async (request, reply) => {
      const call = callOptions(callContextOf(request));
      const { tokenId } = principalOf(request);
      const { revokedAt } = await clients.identity.revokeToken({ tokenId }, call);
      tokens.forget(bearerToken(request.raw) ?? '');
      const revoked_at = timestamp(revokedAt ?? new Date());
      return reply.header('cache-control', 'no-store').send({ ok: true, revoked_at });
    },
    hooks,
  );
}
