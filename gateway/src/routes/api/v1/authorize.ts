import { randomUUID } from 'node:crypto';
import formbody from '@fastify/formbody';
import { type Authorization, Decision } from '@knowledge/proto/knowledge/identity/v1/identity';
import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requireCleanText } from '../../../body-parsing.js';
import { clientAddressOf } from '../../../client-address.js';
import { callFor } from '../../../clients.js';
import type { Gateway } from '../../../context.js';
import { mediaTypes, preferredType } from '../../../negotiation.js';
import { confirmationPage } from '../../../pages/consent/confirmation-page.js';
import { sendConsentPage } from '../../../pages/consent/consent-layout.js';
import { decidedPage, resentPage } from '../../../pages/consent/decided-page.js';
import { errorPage, type WaysOn } from '../../../pages/consent/error-page.js';
import { presentAuthorization, presentState } from '../../../present/authorization.js';
import { toProtoScope } from '../../../present/scope.js';
import { limits } from '../../../protocol/limits.js';
import { authorize, decideConfirmation, showConfirmation } from '../../../protocol/write-operations.js';
import { scopeNames } from '../../../protocol/write-schemas.js';
import { type Sites, toProtoSite } from '../../../sites.js';
import { askerOf, registerOperation } from '../../operation-route.js';

/** Asking for a token, and the human's answer (protocol.md sections 5.1 to 5.3). */
export async function registerAuthorizeRoutes(
  app: FastifyInstance,
  gateway: Pick<Gateway, 'clients' | 'sites'>,
): Promise<void> {
  const { clients, sites } = gateway;
  registerOperation(app, authorize, async (request, reply) => {
    const call = callFor(askerOf(request));
    const { body } = request;
    requireCleanText(body);
    const site = body.site ?? sites.of(request.query, request.headers.host);
    const { authorization, deviceCode, userCode, intervalSeconds } = await clients.identity.createAuthorization(
      {
        requestKey: randomUUID(),
        email: body.email,
        agentName: body.agent_name,
        scopes: (body.scopes ?? scopeNames).map(toProtoScope),
        purpose: body.purpose ?? '',
        site: toProtoSite(site),
        clientAddress: clientAddressOf(request),
        renewedTokenId: '',
      },
      call,
    );
    const exchange = {
      method: 'POST',
      path: '/api/v1/agent/token',
      device_code: deviceCode,
      interval_seconds: intervalSeconds,
    };
    return reply
      .code(202)
      .header('cache-control', 'no-store')
      .send({
        ok: true,
        authorization: presentAuthorization(required(authorization)),
        token_exchange: exchange,
        user_code: userCode,
      });
  });
  // Forms are taken here and nowhere else under /api.
  await app.register((scope, _options, done) => {
    void scope.register(formbody, { bodyLimit: limits.requestBytes });
    scope.setErrorHandler((error, request, reply) => answerFailure(error, request, reply, sites));
    registerConfirmRoutes(scope, gateway);
    done();
  });
}

function registerConfirmRoutes(app: FastifyInstance, { clients, sites }: Pick<Gateway, 'clients' | 'sites'>): void {
  registerOperation(
    app,
    showConfirmation,
    async (request, reply) => {
      const call = callFor(askerOf(request));
      const code = codeOf(request);
      const { authorization, userCodeRequired, email } = await clients.identity.getConfirmation({ code }, call);
      const known = required(authorization);
      const state = presentState(known.state);
      if (wantsPage(request)) {
        const page =
          state === 'pending'
            ? confirmationPage({ authorization: known, email, code, userCodeRequired })
            : decidedPage({ state, agentName: known.agentName, accessUrl: undefined });
        return sendConsentPage(reply, 200, page, sites);
      }
      const path = `/api/v1/agent/authorize/confirm?code=${encodeURIComponent(code)}`;
      const confirm = state === 'pending' ? { confirm: { method: 'POST', path } } : {};
      return secretAnswer(reply).send({ ok: true, authorization: describeForHuman(known), ...confirm });
    },
    { preValidation: requireCode },
  );

  registerOperation(
    app,
    decideConfirmation,
    async (request, reply) => {
      const call = callFor(askerOf(request));
      const code = codeOf(request);
      const { decision: chosen = 'confirm', user_code: userCode = '' } = request.body;
      const decision = chosen === 'confirm' ? Decision.CONFIRM : Decision.DECLINE;
      const decided = await clients.identity.decideAuthorization({ code, decision, userCode }, call);
      const known = required(decided.authorization);
      if (!wantsPage(request))
        return secretAnswer(reply).send({ ok: true, authorization: presentAuthorization(known) });
      const base = sites.base(sites.of({}, request.headers.host));
      const accessUrl =
        decided.accessKey === '' ? undefined : `${base}/access?key=${encodeURIComponent(decided.accessKey)}`;
      return sendConsentPage(
        reply,
        200,
        decidedPage({ state: presentState(known.state), agentName: known.agentName, accessUrl }),
        sites,
      );
    },
    { preValidation: requireDecision },
  );

  app.post<{ Querystring: { code?: string } }>('/api/v1/agent/authorize/resend', async (request, reply) => {
    const call = callFor(askerOf(request));
    const code = codeOf(request);
    const { maskedEmail } = await clients.identity.resendConfirmation(
      { code, clientAddress: clientAddressOf(request) },
      call,
    );
    if (!wantsPage(request)) return secretAnswer(reply).code(202).send({ ok: true, email: maskedEmail });
    return sendConsentPage(reply, 202, resentPage(maskedEmail), sites);
  });
}

// What is wrong with the code is told before anything else.
async function requireCode(request: FastifyRequest): Promise<void> {
  codeOf(request);
}

// A POST without a body confirms.
async function requireDecision(request: FastifyRequest): Promise<void> {
  codeOf(request);
  request.body ??= {};
}

/** Fails as the caller prefers it: a page with the same status for a browser (protocol.md section 5.3). */
function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply, sites: Sites): FastifyReply {
  if (!wantsPage(request)) throw error;
  const { status, page, headers } = errorPage(error, request, waysOn(error, request));
  return sendConsentPage(reply.headers(headers), status, page, sites);
}

function waysOn(error: unknown, request: FastifyRequest): WaysOn {
  const { code } = request.query as { code?: unknown };
  if (typeof code !== 'string') return {};
  const query = `?code=${encodeURIComponent(code)}`;
  const expired = error instanceof KnowledgeError && error.metadata?.['resend'] === 'true';
  return { back: `confirm${query}`, ...(expired ? { resend: `resend${query}` } : {}) };
}

function codeOf(request: FastifyRequest): string {
  const { code } = request.query as { code?: unknown };
  if (code === undefined || code === '')
    throw new KnowledgeError('missing_code', 'The link has no code; open the whole link of the e-mail.');
  if (typeof code !== 'string' || code.length > maxCodeLength) {
    throw new KnowledgeError('invalid_or_expired_code', 'This link is not valid, or not any more.');
  }
  return code;
}

const maxCodeLength = 512;

function wantsPage(request: FastifyRequest): boolean {
  return preferredType(request, [mediaTypes.json, mediaTypes.html]) === mediaTypes.html;
}

function describeForHuman(authorization: Authorization) {
  const { agentName, purpose } = authorization;
  return { ...presentAuthorization(authorization), agent_name: agentName, ...(purpose === '' ? {} : { purpose }) };
}

function secretAnswer(reply: FastifyReply): FastifyReply {
  return reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' });
}

function required(authorization: Authorization | undefined): Authorization {
  if (authorization === undefined) throw new KnowledgeError('internal_error', 'A service answered without a request.');
  return authorization;
}
