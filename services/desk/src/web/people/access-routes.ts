import { randomUUID } from 'node:crypto';
import { hasCode, KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { presentToken, scopeNames, toWireScope } from '../../present/access.js';
import { requireField } from '../../words.js';
import { noFaults, readFaults } from '../forms/form-values.js';
import { csrfTokenOf } from '../http/csrf.js';
import { formField } from '../http/form-field.js';
import { sendPage } from '../layout/send-page.js';
import { type IssueForm, issuedPage, issueFields, issuePage } from './issue-pages.js';
import { daysOf, reasonOf, requiredReasonOf } from './reason-of.js';
import type { OfThing, Sealed, SealedPaths } from './sealed-person.js';
import type { ServicesOf } from './services-of.js';

/** Registers what support changes of the accesses of a person: tokens, requests, and whether agents may ask at all. */
export function registerAccess(app: FastifyInstance, servicesOf: ServicesOf, paths: SealedPaths): void {
  app.post<OfThing>('/people/of/:sealed/tokens/:id/end', async (request, reply) => {
    const { after } = paths.personOf(request);
    const keepWaiting = formField(request.body, 'keep_waiting') === 'yes';
    const { grants, call } = servicesOf(request);
    await grants.revokeTokenById({ tokenId: request.params.id, reason: reasonOf(request), keepWaiting }, call());
    return reply.redirect(after('token-ended'), 303);
  });

  app.post<OfThing>('/people/of/:sealed/requests/:id/cancel', async (request, reply) => {
    const { after } = paths.personOf(request);
    const { grants, call } = servicesOf(request);
    await grants.cancelAuthorization({ id: request.params.id, reason: reasonOf(request) }, call());
    return reply.redirect(after('request-cancelled'), 303);
  });

  app.post<Sealed>('/people/of/:sealed/block', async (request, reply) => {
    const { email, after } = paths.personOf(request);
    const days = daysOf(request);
    const { grants, call } = servicesOf(request);
    await grants.blockRequests({ email, days, reason: requiredReasonOf(request) }, call());
    return reply.redirect(after('requests-blocked'), 303);
  });

  app.post<Sealed>('/people/of/:sealed/unblock', async (request, reply) => {
    const { email, after } = paths.personOf(request);
    const { grants, call } = servicesOf(request);
    await grants.unblockRequests({ email, reason: requiredReasonOf(request) }, call());
    return reply.redirect(after('requests-allowed'), 303);
  });

  app.get<Sealed>('/people/of/:sealed/issue', async (request, reply) => {
    const place = { ...paths.personOf(request), csrf: csrfTokenOf(reply) };
    const empty = { requestKey: randomUUID(), agentName: '', scopes: scopeNames, reason: '' };
    return sendPage(reply, issuePage(empty, place, noFaults));
  });

  // No redirect: only this answer shows the token. A form that is sent again gets the same token for ten minutes.
  app.post<Sealed>('/people/of/:sealed/issue', async (request, reply) => {
    const { email, path } = paths.personOf(request);
    const { grants, call } = servicesOf(request);
    const form = readIssueForm(request);
    try {
      if (form.reason.trim() === '') throw new KnowledgeError('validation_error', 'reason is required: say why.');
      const wanted = { ...form, email, scopes: form.scopes.map(toWireScope) };
      const { secret, token } = await grants.issueToken(wanted, call());
      return sendPage(reply, issuedPage(secret, presentToken(requireField(token)), path));
    } catch (error) {
      if (!hasCode(error, 'validation_error')) throw error;
      const faults = readFaults(error as KnowledgeError, issueFields);
      return sendPage(reply, issuePage(form, { email, path, csrf: csrfTokenOf(reply) }, faults));
    }
  });
}

function readIssueForm({ body }: FastifyRequest): IssueForm {
  return {
    requestKey: formField(body, 'request_key') || randomUUID(),
    agentName: formField(body, 'agent'),
    scopes: scopeNames.filter((scope) => formField(body, scope) === 'yes'),
    reason: formField(body, 'reason', 5000),
  };
}
