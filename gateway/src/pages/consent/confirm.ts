import formbody from '@fastify/formbody';
import { Decision, type GetConfirmationResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import { hasCode, KnowledgeError, timestamp } from '@knowledge/runtime';
import { clientAddressOf } from '@knowledge/runtime/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Gateway } from '../../api/gateway.js';
import { registerOperation } from '../../api/operation-route.js';
import { mediaTypes, preferredType } from '../../http/negotiation.js';
import { sendPrivate } from '../../http/send-read.js';
import { presentAuthorization } from '../../present/contribution.js';
import { decideConfirmation, showConfirmation } from '../../protocol/authorization.js';
import { limits } from '../../protocol/limits.js';
import { callOf, required } from '../../upstream/calls.js';
import type { Sites } from '../../upstream/sites.js';
import { confirmationPage, type TypedCode } from './confirmation-page.js';
import { lastValueOf, sendConsentPage } from './consent-layout.js';
import { consentErrorPage } from './error-page.js';
import type { RequestView } from './not-granted-pages.js';
import { leaveSlash, mailedSecret, takeOwnForms, withdrawWaiting } from './own-forms.js';
import { resentPage, statePage } from './state-page.js';

type ConsentGateway = Pick<Gateway, 'clients' | 'sites'>;

/** The routes behind the mailed link (gateway/PROTOCOL.md#decision): show, decide, resend. */
export async function registerConfirmRoutes(app: FastifyInstance, gateway: ConsentGateway): Promise<void> {
  // No other routes under /api accept forms.
  await app.register((scope, _options, done) => {
    void scope.register(formbody, { bodyLimit: limits.requestBytes });
    scope.setErrorHandler((error, request, reply) => answerFailure(error, request, reply, gateway));
    takeOwnForms(scope, gateway.sites);
    leaveSlash(scope, wantsPage);
    registerShow(scope, gateway);
    registerDecide(scope, gateway);
    registerResend(scope, gateway);
    done();
  });
}

function registerShow(app: FastifyInstance, { clients, sites }: ConsentGateway) {
  registerOperation(
    app,
    showConfirmation,
    async (request, reply) => {
      const code = codeOf(request);
      const shown = await clients.identity.getConfirmation({ code }, callOf(request));
      if (wantsPage(request)) return sendConsentPage(reply, 200, pageOf(request, { shown, code }, sites), sites);
      return sendSecret(reply, { authorization: describeForHuman(shown), message: messageFor(shown) });
    },
    { preValidation: requireCode },
  );
}

function registerDecide(app: FastifyInstance, { clients, sites }: ConsentGateway) {
  registerOperation(
    app,
    decideConfirmation,
    async (request, reply) => {
      const call = callOf(request);
      const code = codeOf(request);
      const { decision: chosen = 'confirm', user_code: userCode = '', keep_waiting: keep } = request.body;
      const decision = chosen === 'confirm' ? Decision.CONFIRM : Decision.DECLINE;
      const keepWaiting = keep === 'yes';
      const sent = { code, decision, userCode, fromPage: isFromPage(request), keepWaiting };
      // Before the decision, since a host that is not ours must not cost the page its key.
      const base = wantsPage(request) ? sites.base(sites.ofRequest(request)) : undefined;
      const decided = await clients.identity.decideAuthorization(sent, call);
      const ended = { email: keepWaiting ? '' : decided.endedEmail, authorizationIds: [decided.endedAuthorizationId] };
      const withdrawn = await withdrawWaiting(clients, ended, call);
      if (base === undefined) {
        return sendSecret(reply, { authorization: presentAuthorization(required(decided.authorization)) });
      }
      const shown = await clients.identity.getConfirmation({ code }, call);
      const accessUrl =
        decided.accessKey === '' ? undefined : `${base}/access?key=${encodeURIComponent(decided.accessKey)}`;
      return sendConsentPage(reply, 200, statePage({ shown, code, accessUrl, justNow: true, withdrawn }), sites);
    },
    { preValidation: requireDecision },
  );
}

function registerResend(app: FastifyInstance, { clients, sites }: ConsentGateway) {
  app.post<{ Querystring: { code?: string } }>('/api/v1/agent/authorize/resend', async (request, reply) => {
    const code = codeOf(request);
    const resend = { code, clientAddress: clientAddressOf(request) };
    const { maskedEmail } = await clients.identity.resendConfirmation(resend, callOf(request));
    if (!wantsPage(request)) return sendSecret(reply.code(202), { email: maskedEmail });
    return sendConsentPage(reply, 202, resentPage(maskedEmail), sites);
  });
}

function pageOf(request: FastifyRequest, view: RequestView, sites: Sites, typed?: TypedCode) {
  if (!view.shown.canDecide) return statePage(view);
  const { host } = new URL(sites.base(sites.ofRequest(request)));
  return confirmationPage({ shown: view.shown, code: view.code, host, typed });
}

/** Answers browsers with a page and other callers with JSON, both with the same status. */
async function answerFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  { clients, sites }: ConsentGateway,
): Promise<FastifyReply> {
  if (!wantsPage(request)) throw error;
  const { status, page, headers } = consentErrorPage(error, request, sites.operator);
  const view = leavesRequestReadable(error) ? await readRequestView(request, clients) : undefined;
  const shown = view === undefined ? page : pageOf(request, view, sites, typedCodeOf(error));
  return sendConsentPage(reply.headers(headers), status, shown, sites);
}

function leavesRequestReadable(error: unknown) {
  const late = hasCode(error, 'invalid_or_expired_code') || hasCode(error, 'invalid_state');
  return late || typedCodeOf(error) !== undefined;
}

async function readRequestView(
  request: FastifyRequest,
  clients: ConsentGateway['clients'],
): Promise<RequestView | undefined> {
  const code = mailedSecret(request, 'code');
  if (typeof code !== 'string') return undefined;
  return clients.identity.getConfirmation({ code }, callOf(request)).then(
    (shown) => ({ shown, code }),
    () => undefined,
  );
}

function typedCodeOf(error: unknown): TypedCode | undefined {
  if (!(error instanceof KnowledgeError)) return undefined;
  const { user_code: fault, tries_left: triesLeft } = error.metadata ?? {};
  return fault === 'missing' || fault === 'wrong' ? { fault, triesLeft } : undefined;
}

// Reports a malformed code before any other mistake.
async function requireCode(request: FastifyRequest) {
  codeOf(request);
}

// A POST without a body confirms.
async function requireDecision(request: FastifyRequest) {
  codeOf(request);
  request.body ??= {};
  const body = request.body as Record<string, unknown>;
  if (isForm(request) && body.keep_waiting !== undefined) body.keep_waiting = lastValueOf(body.keep_waiting);
}

// Counts every form, since mail scanners that press the button may not accept HTML.
function isFromPage(request: FastifyRequest) {
  return isForm(request) || wantsPage(request);
}

function isForm(request: FastifyRequest) {
  return (request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');
}

function codeOf(request: FastifyRequest) {
  const code = mailedSecret(request, 'code');
  if (code === undefined || code === '')
    throw new KnowledgeError('missing_code', 'The link has no code; open the whole link of the e-mail.');
  if (typeof code !== 'string' || code.length > maxCodeLength) {
    throw new KnowledgeError('invalid_or_expired_code', 'This link is not valid, or not any more.');
  }
  return code;
}

const maxCodeLength = 512;

function wantsPage(request: FastifyRequest) {
  return preferredType(request, [mediaTypes.json, mediaTypes.html]) === mediaTypes.html;
}

const forHuman =
  'This link is for the human of the mailbox, who alone decides: open it in a browser. An agent leaves it alone and polls its token exchange.';

function messageFor({ canDecide, canResend, accessUntil }: GetConfirmationResponse) {
  if (canDecide || canResend) return forHuman;
  return `There is nothing left to decide: ${accessUntil === undefined ? 'this request gives no access' : 'the agent can act until access_until, and its human can end that here'}.`;
}

function describeForHuman({ authorization, accessUntil }: GetConfirmationResponse) {
  const known = required(authorization);
  const { agentName, purpose } = known;
  return {
    ...presentAuthorization(known),
    agent_name: agentName,
    ...(purpose === '' ? {} : { purpose }),
    ...(accessUntil === undefined ? {} : { access_until: timestamp(accessUntil) }),
  };
}

function sendSecret(reply: FastifyReply, fields: object) {
  return sendPrivate(reply.headers({ 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }), fields);
}
