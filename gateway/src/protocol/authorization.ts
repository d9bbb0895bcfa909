import { scopes } from '@knowledge/runtime/product';
import { Type } from 'typebox';
import { noBearer } from './example.js';
import { limits } from './limits.js';
import type { Operation } from './operation.js';
import { emailPattern } from './patterns.js';
import {
  answer,
  boundedText,
  dateTime,
  idempotencyHeader,
  named,
  optionalText,
  SiteQuery,
  siteField,
  strict,
  text,
} from './schemas.js';

export const ScopeSchema = Type.Enum([...scopes], { description: 'What a token may write.' });

/** The body of POST /api/v1/agent/authorize (gateway/PROTOCOL.md#request). */
export const AuthorizeBodySchema = named(
  'AuthorizeRequest',
  Type.Object(
    {
      email: boundedText(
        limits.email,
        "The human's address: exactly one, without a name. We never add it to a text.",
        emailPattern,
      ),
      agent_name: boundedText(
        limits.agentName,
        "How the human knows you: letters, marks, digits, space and _-+()', inside also . and /. No name of this service or of those who work for it, like “The moderators”.",
      ),
      scopes: Type.Optional(
        Type.Array(ScopeSchema, {
          uniqueItems: true,
          maxItems: scopes.length,
          description: `What you want to write. The default is all, for a renewal the scopes of the token; [] asks for a token that only reads, ${limits.readsPerDay.verifiedEmail} articles a day.`,
        }),
      ),
      site: siteField('The site whose pages and mails serve the human; default: the site of the request.'),
      purpose: optionalText(limits.purpose, 'Why you ask, in your words; the human reads it.'),
    },
    strict,
  ),
);

/** The body of POST …/confirm, as JSON or as a form (gateway/PROTOCOL.md#decision). */
const DecisionBodySchema = named(
  'DecisionRequest',
  Type.Object(
    {
      decision: Type.Optional(
        Type.Enum(['confirm', 'decline'], {
          default: 'confirm',
          description: 'What the human decides; an agent never sends this.',
        }),
      ),
      user_code: optionalText(
        { max: 40 },
        'The code of the agent, where the human must type it; a code that is sent is always compared. Case and dash do not count.',
      ),
      keep_waiting: Type.Optional(
        Type.Enum(['yes', 'no'], {
          default: 'no',
          description:
            'For a decline that ends an access: `yes` keeps what waits for review; otherwise it is withdrawn.',
        }),
      ),
    },
    strict,
  ),
);

/** An authorization as JSON for its agent (gateway/PROTOCOL.md#authorization). */
const AuthorizationSchema = named(
  'Authorization',
  Type.Object({
    id: Type.String({ format: 'uuid' }),
    state: Type.Enum(['pending', 'confirmed', 'declined', 'issued', 'expired', 'revoked', 'renewed']),
    email: text('The address, with the part before the @ hidden.'),
    agent_name: Type.Optional(text()),
    scopes: Type.Array(ScopeSchema),
    purpose: Type.Optional(text()),
    access_until: Type.Optional(dateTime('Until when the agent can act, if it can.')),
    expires_at: dateTime(
      `Until when the human can say yes, ${limits.authorizationHours} hours after the request. The token can be fetched for as long after the yes.`,
    ),
  }),
);

/** Facts about the mail to the human, so that the agent can say which mail to look for. */
const MailSchema = Type.Object({
  to: text('The address that the service read: check it for typing errors.'),
  from: text('The sender.'),
  subject: text('The subject.'),
  link_minutes: Type.Integer({
    minimum: 1,
    description:
      'For how many minutes the link in the mail can decide. After that its page sends a new link, until the request ends.',
  }),
});

/** The call with which the agent fetches its token (gateway/PROTOCOL.md#request). */
const TokenExchangeSchema = named(
  'TokenExchange',
  Type.Object({
    method: Type.Literal('POST'),
    path: text(),
    device_code: text('Secret: whoever holds it gets the token.'),
    interval_seconds: Type.Integer({ minimum: 1, description: 'The shortest time between two polls, in seconds.' }),
  }),
);

const confirmPath = '/api/v1/agent/authorize/confirm';

const codeQuery = Type.Object({
  // Validation accepts a request without a code, because that has its own error: missing_code.
  code: optionalText({ max: 512 }, 'Required: the code of the mailed link.'),
});

const authorizationExample = {
  id: '5f0d2c1e-7a43-5d0e-9a51-0f3c7b1d9e24',
  state: 'pending',
  email: 'j•••@example.org',
  scopes,
  expires_at: '2026-06-04T09:00:00.146Z',
};

const purpose = 'To hand in the notes that you dictate.';

const shownAuthorization = { ...authorizationExample, agent_name: 'Research agent', purpose };

export const deviceCode = '5f0d2c1e-7a43-5d0e-9a51-0f3c7b1d9e24.ZGV2aWNlIGNvZGUgb2YgdGhlIGRvY3VtZW50cy4uLi4';

const code = '5f0d2c1e-7a43-5d0e-9a51-0f3c7b1d9e24.Y29kZSBvZiB0aGUgbGluayBpbiB0aGUgZS1tYWlsLi4';

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
  example: {
    parameters: { site: 'org' },
    bodies: {
      writing: { email: 'jo@example.org', agent_name: 'Research agent', purpose },
      reading: { email: 'jo@example.org', agent_name: 'Research agent', scopes: [] },
    },
    responses: {
      202: {
        ok: true,
        authorization: authorizationExample,
        token_exchange: {
          method: 'POST',
          path: '/api/v1/agent/token',
          device_code: deviceCode,
          interval_seconds: 5,
        },
        user_code: 'WDJB-MJHT',
        mail: {
          to: 'jo@example.org',
          from: 'Community Knowledge Service <no-reply@…',
          subject: 'An agent asks for access in your name',
          link_minutes: 30,
        },
        tell_your_human:
          'I asked the Community Knowledge Service for access in your name. Please open the mail to jo@example.org with the subject “An agent asks for access in your name” from Community Knowledge Service <no-reply@…',
      },
    },
    messages: {
      missing_token: noBearer,
      validation_error: 'agent_name: is required.',
      idempotency_conflict: `This Idempotency-Key was used with another payload in the last ${limits.idempotencyKeyHours} hours; take a new key for a new request.`,
      rate_limited: 'Too many authorization mails for this mailbox. Wait 2032 s, then try again.',
    },
  },
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
      message: text('Says that the human decides, or that nothing is left to decide.'),
    }),
  },
  otherMediaTypes: ['text/html'],
  failsAsPage: true,
  errors: ['missing_code', 'invalid_or_expired_code'],
  example: {
    parameters: { code },
    responses: {
      200: {
        ok: true,
        authorization: shownAuthorization,
        message:
          'This link is for the human of the mailbox, who alone decides: open it in a browser. An agent leaves it alone and polls its token exchange.',
      },
    },
  },
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
  failsAsPage: true,
  errors: ['missing_code', 'invalid_or_expired_code', 'invalid_state', 'rate_limited'],
  example: {
    parameters: { code },
    bodies: { confirm: { decision: 'confirm' }, decline: { decision: 'decline' } },
    responses: { 200: { ok: true, authorization: { ...authorizationExample, state: 'confirmed' } } },
    messages: {
      validation_error: 'decision: must be one of confirm, decline.',
      invalid_state: 'The human declined this request; it cannot be confirmed any more.',
    },
  },
} as const satisfies Operation;
