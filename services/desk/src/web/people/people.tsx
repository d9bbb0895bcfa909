import { KnowledgeError } from '@knowledge/runtime';
import { rules } from '@knowledge/runtime/product';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { askForErasure, cancelErasure, confirmErasure } from '../../person/erase-person.js';
import { exportPerson } from '../../person/export-person.js';
import { personMarkdown } from '../../person/person-markdown.js';
import { readPerson } from '../../person/read-person.js';
import { readQuota, readSubject, resetQuota } from '../../person/read-quota.js';
import { sendAccessLink } from '../../person/send-access-link.js';
import type { QuotaView } from '../../present/quota.js';
import { formField } from '../parts/form-values.js';
import { type Shown, sendPage } from '../parts/page.js';
import { csrfTokenOf } from '../requests.js';
import { staffOf } from '../session.js';
import type { WebDesk } from '../web-desk.js';
import { registerAccess } from './access.js';
import { registerFind } from './find.js';
import { registerMails } from './mails.js';
import { personPage } from './person-page.js';
import { registerRecords } from './records.js';
import { reasonOf, requiredReasonOf, type Sealed, sealedPaths, servicesOfDesk } from './sealed-person.js';
import { limitsSection, noticeOf } from './sections.js';

/** The pages of support. No address stands in a URL: a path holds it sealed for the session. */
export function registerPeople(app: FastifyInstance, desk: WebDesk): void {
  const servicesOf = servicesOfDesk(desk);
  const paths = sealedPaths(desk);
  const doneOf = ({ query }: FastifyRequest) => formField(query, 'done', 40);

  registerMails(app, desk);
  registerFind(app, servicesOf, paths);
  registerRecords(app, servicesOf, paths);
  registerAccess(app, servicesOf, paths);

  app.get<Sealed>('/people/of/:sealed', async (request, reply) => {
    const { email, reason, path } = paths.personOf(request);
    const day = dayOf(formField(request.query, 'day', 10));
    const person = await readPerson(servicesOf(request), email, reason, day);
    const facts = { person, path, csrf: csrfTokenOf(reply), actor: staffOf(request).name, done: doneOf(request), day };
    return sendPage(reply, personPage(facts));
  });

  app.post<Sealed>('/people/of/:sealed/link', async (request, reply) => {
    const { email, after } = paths.personOf(request);
    const site = formField(request.body, 'site');
    await sendAccessLink(servicesOf(request), { email, site, reason: requiredReasonOf(request) });
    return reply.redirect(after('link-sent'), 303);
  });

  app.post<Sealed>('/people/of/:sealed/export', async (request, reply) => {
    const { email } = paths.personOf(request);
    const format = formField(request.body, 'format');
    if (format !== 'markdown' && format !== 'json') {
      throw new KnowledgeError('validation_error', 'The format must be markdown or json.');
    }
    const isMarkdown = format === 'markdown';
    const data = await exportPerson(servicesOf(request), email, requiredReasonOf(request));
    const name = `person-${data.exported_at.slice(0, 10)}.${isMarkdown ? 'md' : 'json'}`;
    return reply
      .header('content-disposition', `attachment; filename="${name}"`)
      .type(isMarkdown ? 'text/markdown; charset=utf-8' : 'application/json; charset=utf-8')
      .send(isMarkdown ? personMarkdown(data) : JSON.stringify(data, undefined, 2));
  });

  app.post<Sealed>('/people/of/:sealed/erasure', async (request, reply) => {
    const { email, after } = paths.personOf(request);
    const withWork = formField(request.body, 'with_work') === 'yes';
    await askForErasure(servicesOf(request), { email, withWork, reason: requiredReasonOf(request) });
    return reply.redirect(after('erasure-asked'), 303);
  });

  app.post<Sealed>('/people/of/:sealed/limits', async (request, reply) => {
    const { after } = paths.personOf(request);
    await resetQuota(
      servicesOf(request),
      subjectOf(formField(request.body, 'subject', 300)),
      requiredReasonOf(request),
    );
    return reply.redirect(after('limits-reset'), 303);
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

  app.get<Sealed>('/people/limits/:sealed', async (request, reply) => {
    const quota = await readQuota(servicesOf(request), paths.opened(request), '');
    const action = `/people/limits/${request.params.sealed}`;
    return sendPage(reply, limitsPage({ quota, action, csrf: csrfTokenOf(reply), done: doneOf(request) }));
  });

  app.post<Sealed>('/people/limits/:sealed', async (request, reply) => {
    await resetQuota(servicesOf(request), paths.opened(request), requiredReasonOf(request));
    return reply.redirect(`/people/limits/${request.params.sealed}?done=limits-reset`, 303);
  });
}

function dayOf(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : '';
}

/** @throws KnowledgeError `validation_error` unless it is `client:ID`, `email:ADDRESS` or `address:IP` */
function subjectOf(name: string): string {
  if (readSubject(name) === undefined) throw new KnowledgeError('validation_error', 'value: must name who is counted.');
  return name;
}

interface LimitsFacts {
  readonly quota: QuotaView;
  readonly action: string;
  readonly csrf: string;
  readonly done: string;
}

/** Why an agent gets 429: what its client id, address or e-mail has left. */
function limitsPage({ quota, action, csrf, done }: LimitsFacts): Shown {
  const main = (
    <>
      <h1>
        Limits of <bdi>{quota.id}</bdi>
      </h1>
      {noticeOf(done)}
      {limitsSection('What is left', quota, action, csrf)}
      <h2>What else gets 429</h2>
      <ul>
        <li>With a token, reads and contributions count for its person: find the person by the e-mail address.</li>
        <li>Requests for access and their mails count for the mailbox of the person who is asked.</li>
        <li>Polls for a token more often than every {rules.pollSeconds} seconds.</li>
        <li>Many pages for people in one minute from one IP address; programs use /api/v1.</li>
      </ul>
      <p>
        <a href="/people">To people</a>
      </p>
    </>
  );
  return { title: 'Limits', main };
}
