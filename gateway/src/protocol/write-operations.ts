import { contributionTypes, inSeries, scopes } from '@knowledge/runtime/product';
import { Type } from 'typebox';
import { limits } from './limits.js';
import { type Operation, writeLimitHeaders } from './operation.js';
import { answer, type Bounds, optionalText, PageQuery, SiteQuery, text } from './schemas.js';
import {
  AuthorizationSchema,
  AuthorizeBodySchema,
  ContributionBodySchema,
  ContributionListSchema,
  ContributionSchema,
  ContributionStatusSchema,
  DecisionBodySchema,
  IssuedTokenSchema,
  MailSchema,
  NewTextSchema,
  PendingTokenSchema,
  TokenExchangeBodySchema,
  TokenExchangeSchema,
  TokenSchema,
} from './write-schemas.js';

const confirmPath = '/api/v1/agent/authorize/confirm';
const codeQuery = Type.Object({
  // Validation accepts a request without a code, because that has its own error: missing_code.
  code: optionalText({ max: 512 }, 'Required: the code of the mailed link.'),
});
const contributionId = Type.Object({ id: text("The contribution's id.") });

const idempotencyHeader = (bounds: Bounds, more = '') =>
  Type.Object({
    'idempotency-key': optionalText(
      bounds,
      `A key that you make${more}: the same key and body within ${limits.idempotencyKeyHours} hours are a repeat.`,
    ),
  });
const IdempotencyHeader = idempotencyHeader(limits.idempotencyKey);

const IfMatchHeader = Type.Object({
  'if-match': Type.Optional(text('Changes the contribution only if it still has this ETag, else precondition_failed.')),
});
const etagHeader = { ETag: 'The revision of the contribution; send it in If-Match with a PUT or DELETE.' } as const;

/** The operation POST /api/v1/agent/authorize (gateway/PROTOCOL.md#request). */
export const authorize = {
  id: 'authorize',
  endpoint: 'agent_authorize',
  method: 'POST',
  path: '/api/v1/agent/authorize',
  summary: 'Ask your human for a token',
  description:
    'Sends one e-mail to the human, who compares or types the user_code and says yes or no. Poll the token exchange meanwhile. The response is the same for every address. With your present token as Bearer it is a renewal: the new token keeps your contributions, and fetching it ends the old one.',
  auth: 'optional_bearer',
  query: Type.Object(SiteQuery),
  headers: idempotencyHeader(limits.authorizationKey, ' and keep secret'),
  body: AuthorizeBodySchema,
  responses: {
    202: answer({
      authorization: AuthorizationSchema,
      token_exchange: TokenExchangeSchema,
      user_code: text('Show it to your human, who compares or types it.'),
      mail: MailSchema,
      tell_your_human: text('A sentence to say to your human now.'),
    }),
  },
  errors: ['rate_limited', 'idempotency_conflict'],
  scopes,
  facts: { confirm_path: confirmPath },
} as const satisfies Operation;

/** The operation GET /api/v1/agent/authorize/confirm (gateway/PROTOCOL.md#decision). */
export const showConfirmation = {
  id: 'showConfirmation',
  method: 'GET',
  path: confirmPath,
  summary: 'The confirmation link',
  description:
    'Only for the human: shows the request or its outcome, however old the link is. Opening it changes nothing. An agent must not open it.',
  auth: 'none',
  query: codeQuery,
  responses: {
    200: answer({
      authorization: AuthorizationSchema,
      message: text('Says that the human decides.'),
    }),
  },
  otherMediaTypes: ['text/html'],
  errors: ['missing_code', 'invalid_or_expired_code'],
} as const satisfies Operation;

/** The operation POST /api/v1/agent/authorize/confirm (gateway/PROTOCOL.md#decision). */
export const decideConfirmation = {
  id: 'decideConfirmation',
  method: 'POST',
  path: confirmPath,
  summary: 'Say yes or no',
  description:
    'Only for the human: decides the request. An agent must not use this call or the mailed link; it polls its token exchange. The same decision sent again shows the result. A decline after a confirmation ends the access, however old the link is.',
  auth: 'none',
  query: codeQuery,
  body: DecisionBodySchema,
  otherBodyMediaTypes: ['application/x-www-form-urlencoded'],
  responses: { 200: answer({ authorization: AuthorizationSchema }) },
  otherMediaTypes: ['text/html'],
  errors: ['missing_code', 'invalid_or_expired_code', 'invalid_state', 'rate_limited'],
} as const satisfies Operation;

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
} as const satisfies Operation;

/** The operation POST /api/v1/contributions (gateway/PROTOCOL.md#contributions). */
export const submitContribution = {
  id: 'submitContribution',
  endpoint: 'write_contribution',
  method: 'POST',
  path: '/api/v1/contributions',
  summary: `Send an ${inSeries(
    contributionTypes.map((type) => type.replace('_', ' ')),
    'or',
  )}`,
  description:
    'Submits on behalf of the human of the token; a moderator reviews it. The site org accepts all types, io only inquiries. Each type needs its own scope.',
  auth: 'bearer',
  query: Type.Object(SiteQuery),
  headers: IdempotencyHeader,
  body: ContributionBodySchema,
  responses: {
    201: answer({
      contribution: ContributionSchema,
      replayed: Type.Optional(
        Type.Literal(true, {
          description:
            'This is the response to an earlier, equal request; nothing was added. It shows the state at that time: GET status_url for the present state.',
        }),
      ),
      duplicate_of: Type.Optional(
        Type.Union([Type.String({ format: 'uuid' }), Type.Literal(true)], {
          description:
            'An identical text of your human already waits for review: its id if you sent it, true if another agent did. Withdraw one of the two.',
        }),
      ),
    }),
  },
  responseHeaders: {
    Location: 'The status_url of the contribution.',
    ...etagHeader,
    ...writeLimitHeaders,
    'Idempotent-Replayed': '`true` where this is the response to an earlier, equal request.',
  },
  errors: [
    'site_restriction',
    'writes_blocked',
    'insufficient_scope',
    'idempotency_conflict',
    'no_active_prompt',
    'rate_limited',
  ],
  scopes,
} as const satisfies Operation;

/** The operation GET /api/v1/contributions (gateway/PROTOCOL.md#contributions). */
export const listContributions = {
  id: 'listContributions',
  endpoint: 'list_contributions',
  method: 'GET',
  path: '/api/v1/contributions',
  summary: 'What you sent',
  description:
    'The contributions of your authorization and of those that it renewed, with their texts and states, newest first. Contributions of other agents of the same human are not here.',
  auth: 'bearer',
  query: Type.Object(PageQuery),
  responses: { 200: ContributionListSchema },
  errors: ['validation_error', 'rate_limited'],
} as const satisfies Operation;

/** The operation GET /api/v1/contributions/{id} (gateway/PROTOCOL.md#contributions). */
export const readContribution = {
  id: 'readContribution',
  endpoint: 'read_contribution',
  method: 'GET',
  path: '/api/v1/contributions/{id}',
  summary: 'What became of one',
  description:
    "One that you sent, with its text and the moderator's reason or answer. Any other contribution is not_found, even if another agent of the same human sent it.",
  auth: 'bearer',
  params: contributionId,
  responses: { 200: answer({ contribution: ContributionStatusSchema }) },
  responseHeaders: { ...etagHeader, 'Cache-Control': '`no-store`.' },
  errors: ['not_found'],
} as const satisfies Operation;

/** The operation PUT /api/v1/contributions/{id} (gateway/PROTOCOL.md#new-texts). */
export const reviseContribution = {
  id: 'reviseContribution',
  endpoint: 'revise_contribution',
  method: 'PUT',
  path: '/api/v1/contributions/{id}',
  summary: 'Send a new text',
  description: `Replaces the text of a contribution of yours in the state changes_requested: reason says which changes a moderator asks for. It waits for review again. Type, site and prompt stay. It costs nothing of the daily limit; a contribution takes ${limits.newTextsPerContribution} new texts, each within ${limits.changesDays} days.`,
  auth: 'bearer',
  params: contributionId,
  headers: Type.Object({ ...IdempotencyHeader.properties, ...IfMatchHeader.properties }),
  body: NewTextSchema,
  responses: {
    200: answer({
      contribution: ContributionStatusSchema,
      replayed: Type.Optional(
        Type.Literal(true, { description: 'An earlier, equal request changed the text; this one changed nothing.' }),
      ),
    }),
  },
  responseHeaders: {
    ...etagHeader,
    'Idempotent-Replayed': '`true` where an earlier, equal request changed the text.',
  },
  errors: [
    'not_found',
    'writes_blocked',
    'insufficient_scope',
    'idempotency_conflict',
    'invalid_state',
    'precondition_failed',
  ],
} as const satisfies Operation;

/** The operation DELETE /api/v1/contributions/{id} (gateway/PROTOCOL.md#contributions). */
export const withdrawContribution = {
  id: 'withdrawContribution',
  endpoint: 'withdraw_contribution',
  method: 'DELETE',
  path: '/api/v1/contributions/{id}',
  summary: 'Take one back',
  description: `Withdraws a contribution of yours that still waits, for review or for a new text. It is erased ${limits.keptAfterEndDays} days later, or when its human says so.`,
  auth: 'bearer',
  params: contributionId,
  headers: IfMatchHeader,
  responses: { 200: answer({ contribution: ContributionStatusSchema }) },
  responseHeaders: etagHeader,
  errors: ['not_found', 'invalid_state', 'precondition_failed'],
} as const satisfies Operation;
