import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { askForErasure, cancelErasure, confirmErasure } from '../../person/erase-person.js';
import { exportPerson } from '../../person/export-person.js';
import { personMarkdown } from '../../person/person-markdown.js';
import { type PersonServices, personServices } from '../../person/person-services.js';
import { readPerson } from '../../person/read-person.js';
import { readQuota, readSubject, resetQuota } from '../../person/read-quota.js';
import { sendAccessLink } from '../../person/send-access-link.js';
import { presentErasure } from '../../present/erasure.js';
import { csrfTokenOf } from '../http/csrf.js';
import { formField } from '../http/form-field.js';
import { callOf, staffOf } from '../http/session.js';
import { sendPage } from '../layout/send-page.js';
import type { WebDesk } from '../web-desk.js';
import { findPage } from './find-page.js';
import { limitsPage } from './limits-page.js';
import type { Notice } from './notices.js';
import { personPage } from './person-page.js';
import { seal, unseal } from './seal.js';

type Sealed = { Params: { sealed: string } };
type OfThing = { Params: { sealed: string; id: string } };

/** The pages of support. No address stands in a URL: a path holds it sealed for the session. */
export function registerPeople(app: FastifyInstance, desk: WebDesk): void {
  const servicesOf = (request: FastifyRequest): PersonServices =>
    personServices({ connect: desk.connect, callContext: () => callOf(request) });
  const secretOf = (request: FastifyRequest) => desk.cookies.read(request, 'session') ?? '';
  const reasonOf = ({ body }: FastifyRequest) => formField(body, 'reason', 2000);
  const doneOf = ({ query }: FastifyRequest) => formField(query, 'done', 40);

  /** What a path holds. A path of an earlier session holds nothing. */
  const opened = (request: FastifyRequest<Sealed>): string => {
    const text = unseal(secretOf(request), request.params.sealed);
    if (text === undefined) throw new KnowledgeError('not_found', 'This page was of another session: find it again.');
    return text;
  };
  const personOf = (request: FastifyRequest<Sealed>): { email: string; reason: string } => {
    const [email = '', ...words] = opened(request).split(' ');
    return { email, reason: words.join(' ') };
  };
  const back = ({ params: { sealed } }: FastifyRequest<Sealed>, done: Notice) => `/people/of/${sealed}?done=${done}`;

  app.get('/people', async (request, reply) => {
    const { erasures, call } = servicesOf(request);
    const page = { all: false, email: '', pageSize: 200, pageToken: '' };
    const open = (await erasures.listErasures(page, call())).erasures.map(presentErasure);
    const facts = { erasures: open, csrf: csrfTokenOf(reply), actor: staffOf(request).name, done: doneOf(request) };
    return sendPage(reply, findPage(facts));
  });

  app.post('/people/find', async (request, reply) => {
    const email = formField(request.body, 'email', 254).trim().toLowerCase();
    // The services say what an address is; a space would end it in the path.
    if (email === '' || email.includes(' '))
      throw new KnowledgeError('validation_error', 'email: must be one address.');
    const reason = formField(request.body, 'reason', 80);
    return reply.redirect(`/people/of/${seal(secretOf(request), `${email} ${reason}`)}`, 303);
  });

  app.get<Sealed>('/people/of/:sealed', async (request, reply) => {
    const { email, reason } = personOf(request);
    const person = await readPerson(servicesOf(request), email, reason);
    const path = `/people/of/${request.params.sealed}`;
    const facts = { person, path, csrf: csrfTokenOf(reply), actor: staffOf(request).name, done: doneOf(request) };
    return sendPage(reply, personPage(facts));
  });

  app.post<OfThing>('/people/of/:sealed/tokens/:id/end', async (request, reply) => {
    const keepWaiting = formField(request.body, 'keep_waiting') === 'yes';
    const { grants, call } = servicesOf(request);
    await grants.revokeTokenById({ tokenId: request.params.id, reason: reasonOf(request), keepWaiting }, call());
    return reply.redirect(back(request, 'token-ended'), 303);
  });

  app.post<OfThing>('/people/of/:sealed/requests/:id/cancel', async (request, reply) => {
    const { grants, call } = servicesOf(request);
    await grants.cancelAuthorization({ id: request.params.id, reason: reasonOf(request) }, call());
    return reply.redirect(back(request, 'request-cancelled'), 303);
  });

  app.post<Sealed>('/people/of/:sealed/link', async (request, reply) => {
    const { email } = personOf(request);
    const site = formField(request.body, 'site');
    await sendAccessLink(servicesOf(request), { email, site, reason: reasonOf(request) });
    return reply.redirect(back(request, 'link-sent'), 303);
  });

  app.post<Sealed>('/people/of/:sealed/export', async (request, reply) => {
    const { email } = personOf(request);
    const isMarkdown = formField(request.body, 'format') === 'markdown';
    const data = await exportPerson(servicesOf(request), email, reasonOf(request));
    const name = `person-${data.exported_at.slice(0, 10)}.${isMarkdown ? 'md' : 'json'}`;
    return reply
      .header('content-disposition', `attachment; filename="${name}"`)
      .type(isMarkdown ? 'text/markdown; charset=utf-8' : 'application/json; charset=utf-8')
      .send(isMarkdown ? personMarkdown(data) : JSON.stringify(data, undefined, 2));
  });

  app.post<Sealed>('/people/of/:sealed/erasure', async (request, reply) => {
    const { email } = personOf(request);
    const withWork = formField(request.body, 'with_work') === 'yes';
    await askForErasure(servicesOf(request), { email, withWork, reason: reasonOf(request) });
    return reply.redirect(back(request, 'erasure-asked'), 303);
  });

  app.post<Sealed>('/people/of/:sealed/limits', async (request, reply) => {
    personOf(request);
    await resetQuota(servicesOf(request), subjectOf(formField(request.body, 'subject', 300)), reasonOf(request));
    return reply.redirect(back(request, 'limits-reset'), 303);
  });

  app.post<{ Params: { id: string } }>('/people/erasures/:id/confirm', async (request, reply) => {
    if (formField(request.body, 'checked') !== 'yes') {
      throw new KnowledgeError('validation_error', 'Compare the address first, and say so in the form.');
    }
    await confirmErasure(servicesOf(request), request.params.id);
    return reply.redirect('/people?done=erased', 303);
  });

  app.post<{ Params: { id: string } }>('/people/erasures/:id/cancel', async (request, reply) => {
    await cancelErasure(servicesOf(request), request.params.id, reasonOf(request));
    return reply.redirect('/people?done=erasure-cancelled', 303);
  });

  app.post('/people/limits', async (request, reply) => {
    const { body } = request;
    const subject = subjectOf(`${formField(body, 'kind')}:${formField(body, 'value', 254).trim()}`);
    return reply.redirect(`/people/limits/${seal(secretOf(request), subject)}`, 303);
  });

  app.get<Sealed>('/people/limits/:sealed', async (request, reply) => {
    const quota = await readQuota(servicesOf(request), opened(request), '');
    const action = `/people/limits/${request.params.sealed}`;
    return sendPage(reply, limitsPage({ quota, action, csrf: csrfTokenOf(reply), done: doneOf(request) }));
  });

  app.post<Sealed>('/people/limits/:sealed', async (request, reply) => {
    await resetQuota(servicesOf(request), opened(request), reasonOf(request));
    return reply.redirect(`/people/limits/${request.params.sealed}?done=limits-reset`, 303);
  });
}

/** @throws KnowledgeError `validation_error` unless it is `client:ID`, `email:ADDRESS` or `address:IP` */
function subjectOf(name: string): string {
  if (readSubject(name) === undefined) throw new KnowledgeError('validation_error', 'value: must name who is counted.');
  return name;
}
