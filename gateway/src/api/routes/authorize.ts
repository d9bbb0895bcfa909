import { randomUUID } from 'node:crypto';
import type { CreateAuthorizationResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import { formatUtcTime, hasCode, KnowledgeError, minutesInWords, timestamp } from '@knowledge/runtime';
import { clientAddressOf, repeatableRequestId } from '@knowledge/runtime/http';
import { scopes } from '@knowledge/runtime/product';
import { fromWireScope, toWireScope } from '@knowledge/runtime/wire';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { bearerToken, headerText } from '../../http/bearer.js';
import { requireCleanText } from '../../http/body-parsing.js';
import { sendPrivate } from '../../http/send-read.js';
import { timeOf } from '../../present/article.js';
import { presentAuthorization, presentToken } from '../../present/contribution.js';
import { authorize } from '../../protocol/authorization.js';
import { limits } from '../../protocol/limits.js';
import { serviceName } from '../../protocol/service-words.js';
import { describeToken, exchangeToken, revokeToken } from '../../protocol/tokens.js';
import { callOf, required } from '../../upstream/calls.js';
import { siteNames, toWireSite } from '../../upstream/sites.js';
import type { Gateway } from '../gateway.js';
import { registerOperation } from '../operation-route.js';
import { acceptToken, clientIdOf, principalOf, requireToken } from '../subject.js';

/** Registers the route with which an agent requests a token (gateway/PROTOCOL.md#authorization). */
export function registerAuthorizeRoutes(
  app: FastifyInstance,
  gateway: Pick<Gateway, 'clients' | 'tokens' | 'sites'>,
): void {
  const { clients, tokens, sites } = gateway;
  registerOperation(
    app,
    authorize,
    async (request, reply) => {
      const { body } = request;
      requireCleanText(body);
      const site = body.site ?? sites.ofRequest(request);
      const asked = await clients.identity.createAuthorization(
        {
          requestKey: requestKeyOf(request),
          email: body.email,
          agentName: body.agent_name,
          scopes: body.scopes?.map(toWireScope) ?? request.principal?.scopes ?? scopes.map(toWireScope),
          purpose: body.purpose ?? '',
          site: toWireSite(site),
          clientAddress: clientAddressOf(request),
          clientId: clientIdOf(request) ?? '',
          renewedTokenId: request.principal?.tokenId ?? '',
        },
        callOf(request),
      );
      return sendPrivate(reply.code(202), responseBody(asked));
    },
    { onRequest: acceptToken(tokens) },
  );
}

/** Makes the name of a request: a UUID from its Idempotency-Key, so that the same key names the same request. */
function requestKeyOf(request: FastifyRequest) {
  const why = ': who guesses a short one would get the token';
  const key = headerText(request, 'Idempotency-Key', limits.authorizationKey, why);
  return key === undefined ? randomUUID() : repeatableRequestId(`authorize ${key}`);
}

function responseBody({ authorization, deviceCode, intervalSeconds, userCode, ...mail }: CreateAuthorizationResponse) {
  const request = required(authorization);
  const { email, mailFrom, mailSubject, linkMinutes } = mail;
  // Identity leaves this user code empty if the human must type it, so that no page shows it.
  const typed = request.userCode === '';
  const until = formatUtcTime(request.expiresAt ?? new Date(0));
  const shown = presentAuthorization(request);
  // A repeat may come after the decision.
  const sentence =
    shown.state === 'pending'
      ? `I asked the ${serviceName} for access in your name. Please open the mail to ${email} with the subject “${mailSubject}” from ${mailFrom}, ${typed ? 'type' : 'compare'} the code ${userCode}, and choose yes or no within ${minutesInWords(linkMinutes)} of that mail; later its page sends a new link, until ${until}. No mail? Look in the spam folder; perhaps you turned off requests from agents.`
      : `My request for access in your name is ${shown.state}. You have nothing left to do.`;
  return {
    authorization: shown,
    token_exchange: {
      method: 'POST',
      path: '/api/v1/agent/token',
      device_code: deviceCode,
      interval_seconds: intervalSeconds,
    },
    user_code: userCode,
    mail: { to: email, from: mailFrom, subject: mailSubject, link_minutes: linkMinutes },
    tell_your_human: sentence,
  };
}

// Every mailbox gets this same text, so that nobody learns whether a mail arrived.
const stillPending =
  'Your human has not decided yet. The link of the mail is good for a shorter time than the request: if it is too old, its page mails a new one, until expires_at.';

/** Registers the routes that fetch, describe and revoke a token (gateway/PROTOCOL.md#tokens). */
export function registerTokenRoutes(
  app: FastifyInstance,
  { clients, tokens }: Pick<Gateway, 'clients' | 'tokens'>,
): void {
  registerOperation(app, exchangeToken, async (request, reply) => {
    const deviceCode = request.body.device_code;
    const { outcome } = await clients.identity.exchangeDeviceCode({ deviceCode }, callOf(request));
    switch (outcome?.$case) {
      case 'pending': {
        const { intervalSeconds, expiresAt } = outcome.value;
        return sendPrivate(reply.code(202), {
          state: 'pending',
          interval_seconds: intervalSeconds,
          expires_at: timeOf(expiresAt),
          message: stillPending,
        });
      }
      case 'issued': {
        const { secret, token: described } = outcome.value;
        const token = required(described);
        return sendPrivate(reply, {
          state: 'issued',
          token: secret,
          token_type: 'Bearer',
          scopes: token.scopes.map(fromWireScope),
          sites: siteNames,
          email: token.email,
          expires_at: timeOf(token.expiresAt),
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
      const { tokenId } = principalOf(request);
      const { token } = await clients.identity.getToken({ tokenId }, callOf(request)).catch((error: unknown) => {
        // The token was revoked elsewhere. Remove it from the cache, so that no later request can use it.
        if (hasCode(error, 'invalid_token')) tokens.forget(bearerToken(request.raw) ?? '');
        throw error;
      });
      return sendPrivate(reply, { token: presentToken(required(token)) });
    },
    hooks,
  );

  registerOperation(
    app,
    revokeToken,
    async (request, reply) => {
      const { tokenId } = principalOf(request);
      const { revokedAt } = await clients.identity.revokeToken({ tokenId }, callOf(request));
      tokens.forget(bearerToken(request.raw) ?? '');
      return sendPrivate(reply, { revoked_at: timestamp(revokedAt ?? new Date()) });
    },
    hooks,
  );
}
