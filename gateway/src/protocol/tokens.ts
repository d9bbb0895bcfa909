import { scopes } from '@knowledge/runtime/product';
import { Type } from 'typebox';
import { deviceCode, ScopeSchema } from './authorization.js';
import { limits } from './limits.js';
import type { Operation } from './operation.js';
import { answer, boundedText, dateTime, named, nullableTime, SiteSchema, strict, text } from './schemas.js';

/** The body of POST /api/v1/agent/token (gateway/PROTOCOL.md#token-exchange). */
export const TokenExchangeBodySchema = named(
  'TokenRequest',
  Type.Object(
    {
      device_code: boundedText({ min: 1, max: 512 }, 'The secret from the response of authorize; show it to nobody.'),
    },
    strict,
  ),
);

const tokenFacts = {
  scopes: Type.Array(ScopeSchema),
  sites: Type.Array(SiteSchema),
  email: text('The verified address; only the holder of the token sees it.'),
  expires_at: dateTime(`${limits.tokenDays} days after the agent asked, as the mail to the human said.`),
};

/** The response to an agent that polls before the human has decided (gateway/PROTOCOL.md#token-exchange). */
const PendingTokenSchema = named(
  'PendingToken',
  answer({
    state: Type.Literal('pending'),
    interval_seconds: Type.Integer({ minimum: 1 }),
    expires_at: dateTime('When the request ends.'),
    message: text('What to do if the human does not answer.'),
  }),
);

/** The response with the token, after the human has confirmed. */
const IssuedTokenSchema = named(
  'IssuedToken',
  answer({
    state: Type.Literal('issued'),
    token: text('`cks_…`; a secret.'),
    token_type: Type.Literal('Bearer'),
    ...tokenFacts,
  }),
);

/** The description of a token for its agent (gateway/PROTOCOL.md#tokens). */
const TokenSchema = named(
  'Token',
  Type.Object({
    id: Type.String({ format: 'uuid' }),
    agent_name: text(),
    ...tokenFacts,
    created_at: dateTime('When it was made.'),
    last_used_at: nullableTime('When it was last used, to the minute; null if never.'),
  }),
);

const tokenExample = {
  scopes,
  sites: ['io', 'org'],
  email: 'jo@example.org',
  expires_at: '2026-11-30T09:05:00.082Z',
};

/** The operation POST /api/v1/agent/token (gateway/PROTOCOL.md#token-exchange). */
export const exchangeToken = {
  id: 'exchangeToken',
  endpoint: 'agent_token',
  method: 'POST',
  path: '/api/v1/agent/token',
  summary: 'Fetch the confirmed token',
  description: `Poll with the device_code: 202 while pending, 200 with the token after the confirmation, for ${limits.tokenExchangeHours} hours. Within ${limits.tokenRedeliveryMinutes} minutes after the first delivery you get the same token again.`,
  auth: 'none',
  body: TokenExchangeBodySchema,
  responses: { 200: IssuedTokenSchema, 202: PendingTokenSchema },
  errors: ['authorization_denied', 'invalid_or_expired_code', 'rate_limited'],
  example: {
    bodies: { poll: { device_code: deviceCode } },
    responses: {
      200: {
        ok: true,
        state: 'issued',
        token: 'cks_…',
        token_type: 'Bearer',
        ...tokenExample,
      },
      202: {
        ok: true,
        state: 'pending',
        interval_seconds: 5,
        expires_at: '2026-06-04T09:00:00.146Z',
        message:
          'Your human has not decided yet. The link of the mail is good for a shorter time than the request: if it is too old, its page mails a new one, until expires_at.',
      },
    },
    messages: {
      validation_error: 'device_code: is required.',
      invalid_or_expired_code:
        'This is no whole device_code: one has 80 characters. Send token_exchange.device_code exactly as it came; your request is not affected.',
      rate_limited: `Poll at most once every ${limits.pollSeconds} seconds. Wait ${limits.pollSeconds} s, then try again.`,
    },
  },
} as const satisfies Operation;

/** The operation GET /api/v1/agent/token (gateway/PROTOCOL.md#tokens). */
export const describeToken = {
  id: 'describeToken',
  endpoint: 'agent_token_description',
  method: 'GET',
  path: '/api/v1/agent/token',
  summary: 'What your token is',
  description: 'Describes the token that you send: its scopes, its human, when it ends.',
  auth: 'bearer',
  responses: { 200: answer({ token: TokenSchema }) },
  errors: [],
  example: {
    responses: {
      200: {
        ok: true,
        token: {
          id: '9a4f3b52-0c1d-4e7f-8a21-6d5c4b3a2f10',
          agent_name: 'Research agent',
          ...tokenExample,
          created_at: '2026-06-03T09:05:00.082Z',
          last_used_at: null,
        },
      },
    },
  },
} as const satisfies Operation;

/** The operation DELETE /api/v1/agent/token (gateway/PROTOCOL.md#tokens). */
export const revokeToken = {
  id: 'revokeToken',
  endpoint: 'agent_token_revocation',
  method: 'DELETE',
  path: '/api/v1/agent/token',
  summary: 'Give your token back',
  description: `Revokes the token that you send; it is refused everywhere within ${limits.revocationSeconds} seconds.`,
  auth: 'bearer',
  responses: { 200: answer({ revoked_at: Type.String({ format: 'date-time' }) }) },
  errors: [],
  example: {
    responses: { 200: { ok: true, revoked_at: '2026-06-10T12:00:00.511Z' } },
  },
} as const satisfies Operation;
