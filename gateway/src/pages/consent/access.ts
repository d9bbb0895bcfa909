import formbody from '@fastify/formbody';
import { ContributionState } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { addressFault, hasCode, refuse } from '@knowledge/runtime';
import type { CallOptions } from '@knowledge/runtime/grpc';
import { endElement } from '@knowledge/runtime/html';
import { clientAddressOf } from '@knowledge/runtime/http';
import { createMarkdownRenderer } from '@knowledge/runtime/markdown';
import { bounds } from '@knowledge/runtime/product';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Gateway } from '../../api/gateway.js';
import { limitPages } from '../../http/limit-routes.js';
import { callOf } from '../../upstream/calls.js';
import type { Clients } from '../../upstream/clients.js';
import { toWireSite } from '../../upstream/sites.js';
import { readSent, registerAccessForms } from './access-forms.js';
import { accessPage } from './access-page.js';
import { formCall, lastValueOf, sendConsentPage } from './consent-layout.js';
import { consentErrorPage } from './error-page.js';
import { linkPage, linkSentPage, linksEndedPage, refusedPage } from './link-page.js';
import {
  accessKeyOf,
  backToPage,
  type FormRoute,
  leaveSlash,
  mailedSecret,
  takeOwnForms,
  withdrawWaiting,
} from './own-forms.js';
import type { EndedAccess } from './sent-words.js';

type ConsentGateway = Pick<Gateway, 'clients' | 'config' | 'sites'>;

/** The access page (gateway/PROTOCOL.md#access-page). POST ends one grant, or all with an empty id. */
export async function registerAccessRoutes(app: FastifyInstance, gateway: ConsentGateway): Promise<void> {
  // Counted apart from other pages, and without the forms, so that stopping an agent always works.
  const limited: FastifyPluginAsync = async (pages) => {
    await limitPages(pages, gateway.config.PAGES_PER_ADDRESS);
    registerPage(pages, gateway);
  };
  await app.register((scope, _options, done) => {
    void scope.register(formbody, { bodyLimit: 4096 });
    scope.setErrorHandler((error, request, reply) => answerFailure(error, request, reply, gateway));
    takeOwnForms(scope, gateway.sites);
    leaveSlash(scope);
    void scope.register(limited);
    registerEnding(scope, gateway);
    registerAccessForms(scope, gateway);
    registerLink(scope, gateway);
    registerNewLink(scope, gateway);
    registerBlock(scope, gateway);
    done();
  });
}

function registerPage(app: FastifyInstance, { clients, sites }: ConsentGateway) {
  const markdown = createMarkdownRenderer(renderedBytes);
  app.route({
    method: ['GET', 'HEAD'],
    url: '/access',
    handler: async (request, reply) => {
      // A visitor who types the bare URL has no link yet, so the page must not say that it expired.
      if (mailedSecret(request, 'key') === undefined) {
        return sendConsentPage(reply, 200, linkPage({ lost: false, action: 'access/link' }), sites);
      }
      const call = callOf(request);
      const key = accessKeyOf(request);
      const access = await clients.identity.getAccess({ accessKey: key }, call);
      const { older, changed: changedId, shown, saved } = request.query as Record<string, unknown>;
      const query = { email: access.email, older: textIn(older, 512), shown: textIn(changedId ?? shown, 64) };
      const { found, ...sent } = await readSent(clients, query, call);
      // A link in a mail shows a text too, and says nothing of what was done.
      const changed = changedId === undefined ? undefined : found;
      const done = { ended: endingOf(request), changed, saved, requests: requestsOf(request) };
      return sendConsentPage(reply, 200, accessPage({ key, ...access, ...sent, sites, markdown, done }), sites);
    },
  });
}

function registerEnding(app: FastifyInstance, { clients }: ConsentGateway) {
  app.post<FormRoute>('/access', async (request, reply) => {
    const call = callOf(request);
    const key = accessKeyOf(request);
    // An empty id ends all grants. A missing id is a mistake and ends nothing.
    const { id, keep_waiting: keep } = request.body ?? {};
    if (typeof id !== 'string' || id.length > 64) refuse('id: must be the id of an access on this page');
    const keepWaiting = lastValueOf(keep) === 'yes';
    const { authorizationIds, revoked, declined } = await clients.identity.revokeAccess(
      { accessKey: key, id, keepWaiting },
      call,
    );
    const email = keepWaiting ? '' : await emailOf(key, clients, call);
    const withdrawn = await withdrawWaiting(clients, { email, authorizationIds }, call);
    // Redirects, so that reloading the page revokes nothing.
    const counts = { stopped: String(revoked), declined: String(declined) };
    const done = new URLSearchParams({ key, ended: id === '' ? 'all' : id, ...counts });
    if (withdrawn !== undefined) done.set('withdrawn', String(withdrawn));
    return reply.header('cache-control', 'no-store').redirect(`?${done}`, 303);
  });
}

function registerLink(app: FastifyInstance, { clients, sites }: ConsentGateway) {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/access/link',
    handler: (_request, reply) => sendConsentPage(reply, 200, linkPage({ lost: false }), sites),
  });

  app.post<FormRoute>('/access/link', async (request, reply) => {
    const email = textIn(request.body?.email, bounds.email.max).trim();
    const code = textIn(request.body?.code, 512);
    const site = toWireSite(sites.ofRequest(request));
    const call = formCall(request);
    const requested = { email, code, clientAddress: clientAddressOf(request), site };
    const hasContributions = await wasSentFor(email, clients, call);
    const { maskedEmail } = await clients.identity.mailAccessLink({ ...requested, hasContributions }, call);
    // A typed address is shown in full, so that a typo is noticed. The address that a code belongs to is masked.
    return sendConsentPage(reply, 202, linkSentPage(code === '' ? email : maskedEmail), sites);
  });
}

function registerNewLink(app: FastifyInstance, { clients, sites }: ConsentGateway) {
  app.post('/access/links', async (request, reply) => {
    const site = toWireSite(sites.ofRequest(request));
    const call = formCall(request);
    const { email } = await clients.identity.replaceAccessLinks({ accessKey: accessKeyOf(request), site }, call);
    return sendConsentPage(reply, 200, linksEndedPage(email), sites);
  });
}

function registerBlock(app: FastifyInstance, { clients, sites }: ConsentGateway) {
  app.post<FormRoute>('/access/block', async (request, reply) => {
    const call = callOf(request);
    const secretIn = (name: 'code' | 'key') => textIn(mailedSecret(request, name), 512);
    const secret = { code: secretIn('code'), accessKey: secretIn('key') };
    const days = request.body?.days;
    if (days === 'none') {
      await clients.identity.allowRequests({ accessKey: secret.accessKey }, call);
      return backToPage(reply, { key: secret.accessKey, requests: 'on' });
    }
    if (days === 'no-links') {
      await clients.identity.refuseLinks({ accessKey: secret.accessKey }, call);
      return backToPage(reply, { key: secret.accessKey, saved: 'links' });
    }
    if (days !== '30' && days !== '0') refuse('days: must be 30, or 0 for ever');
    const { until, declined } = await clients.identity.refuseRequests({ ...secret, days: Number(days) }, call);
    if (secret.code === '')
      return backToPage(reply, { key: secret.accessKey, requests: 'off', declined: String(declined) });
    return sendConsentPage(reply, 200, refusedPage(until && endElement(until), declined), sites);
  });
}

/** The address that a key belongs to; empty if the identity service is unavailable. */
function emailOf(accessKey: string, { identity }: Clients, call: CallOptions) {
  return identity.getAccess({ accessKey }, call).then(
    ({ email }) => email,
    () => '',
  );
}

/** Whether agents have contributed for an address; false if the service is unavailable. */
function wasSentFor(email: string, { contributions }: Clients, call: CallOptions) {
  const one = { state: ContributionState.UNSPECIFIED, pageSize: 1, pageToken: '', authorizationId: '' };
  return contributions.listContributions({ email: email.toLowerCase(), ...one }, call).then(
    ({ total }) => Number(total) > 0,
    () => false,
  );
}

/** Answers an error with a page. For an expired link it shows the form that mails a new one. */
function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply, { sites }: ConsentGateway) {
  const { status, page, headers } = consentErrorPage(error, request, sites.operator);
  const { pathname } = new URL(request.url, 'http://localhost');
  const lost = hasCode(error, 'not_found') && pathname === '/access';
  const { email } = (request.body ?? {}) as { email?: unknown };
  const fault = hasCode(error, 'validation_error') && pathname === '/access/link' && addressFault(String(email));
  const shownPage = lost ? linkPage({ lost: true }) : fault ? linkPage({ lost: false, fault }) : page;
  return sendConsentPage(reply.headers(headers), status, shownPage, sites);
}

function endingOf(request: FastifyRequest): EndedAccess | undefined {
  const { ended, stopped, declined, withdrawn } = request.query as Record<string, unknown>;
  if (typeof ended !== 'string' || ended.length > 64) return undefined;
  const counts = { stopped: countIn(stopped) ?? 0, declined: countIn(declined) ?? 0, withdrawn: countIn(withdrawn) };
  return { id: ended === 'all' ? '' : ended, ...counts };
}

function requestsOf(request: FastifyRequest) {
  const { requests, declined } = request.query as Record<string, unknown>;
  if (requests !== 'on' && requests !== 'off') return undefined;
  return { off: requests === 'off', declined: countIn(declined) ?? 0 };
}

function countIn(value: unknown) {
  return typeof value === 'string' && /^\d{1,4}$/.test(value) ? Number(value) : undefined;
}

function textIn(value: unknown, most: number) {
  return typeof value === 'string' && value.length <= most ? value : '';
}

/** The size of the cache of rendered texts. */
const renderedBytes = 4 * 1024 * 1024;
