import { KnowledgeError } from '@knowledge/runtime';
import { bounds, rules } from '@knowledge/runtime/product';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { quotaOf } from '../limits/limits.js';
import {
  csrfField,
  formField,
  linkLine,
  partOf,
  requiredReasonOf,
  sendPage,
  showPage,
  staffOf,
  takeForm,
  textField,
  titled,
  type WebDesk,
} from '../pages/index.js';
import { clientNamed, type Found, findByWord, withoutToken } from './find-by-word.js';
import { cancelErasure, confirmErasure, type ErasureView, openErasures } from './person.js';
import { registerAccess } from './web-access.js';
import { registerMails } from './web-mails.js';
import { registerPerson } from './web-person.js';
import { registerRecords } from './web-records.js';
import { type People, peopleOf } from './web-sealed-person.js';
import { erasureTable, limitsSection, noticeOf, pathOfThing } from './web-sections.js';

/**
 * Registers the pages of support. One field takes everything that a person or an agent may name. No address stands in a
 * URL: a path holds it sealed for the session.
 */
export function registerPeople(app: FastifyInstance, desk: WebDesk): void {
  const people = peopleOf(desk);
  const { opened, seal, servicesOf } = people;

  registerMails(app, desk);
  registerPerson(app, people);
  registerRecords(app, people);
  registerAccess(app, people);
  registerLimitsOf(app, people);

  showPage(app, '/people', async (request) => findPage(request, await openErasures(servicesOf(request))));

  takeForm(app, '/people/find', async (request) => {
    const word = withoutToken(formField(request.body, 'what', 254).trim());
    const day = formField(request.body, 'day', 10);
    if (word === '') throw new KnowledgeError('validation_error', 'Type an address, an id, a code or a name.');
    const path = foundPath(request, word, formField(request.body, 'reason', 80));
    return day === '' ? path : `${path}?${new URLSearchParams({ day })}`;
  });

  // An id names no person, so it may stand in a path. Other pages link to it.
  app.get('/people/id/:id', async (request, reply) => reply.redirect(foundPath(request, partOf(request), ''), 303));

  app.get('/people/found/:sealed', async (request, reply) => {
    const [word = '', reason = ''] = JSON.parse(opened(request)) as string[];
    const found = await findByWord(servicesOf(request), word, reason);
    const day = formField(request.query, 'day', 10);
    if (found.length === 0) {
      const client = clientNamed(word);
      return sendPage(reply, nothingPage(word, client && `/people/limits/${seal(request, client)}`));
    }
    const links = found.map((each) => ({ label: nameOf(each), path: pathOf(request, each, reason, day) }));
    const [only] = links;
    if (links.length === 1 && only !== undefined) return reply.redirect(only.path, 303);
    return sendPage(reply, foundPage(word, links));
  });

  takeForm(app, '/people/erasures/:id/confirm', async (request) => {
    if (formField(request.body, 'checked') !== 'yes') {
      throw new KnowledgeError('validation_error', 'Compare the address first, and say so in the form.');
    }
    await confirmErasure(servicesOf(request), partOf(request));
    return '/people?done=erased';
  });

  takeForm(app, '/people/erasures/:id/cancel', async (request, reason) => {
    await cancelErasure(servicesOf(request), partOf(request), reason);
    return '/people?done=erasure-cancelled';
  });

  const foundPath = (request: FastifyRequest, word: string, reason: string) =>
    `/people/found/${seal(request, JSON.stringify([word, reason]))}`;

  function pathOf(request: FastifyRequest, found: Found, reason: string, day: string) {
    if (found.kind === 'limits') return `/people/limits/${seal(request, found.subject)}`;
    const person = `/people/of/${seal(request, `${found.email} ${reason}`)}`;
    if (found.kind === 'person') return day === '' ? person : `${person}?${new URLSearchParams({ day })}#mails`;
    return pathOfThing(person, found.kind, found.id);
  }
}

/** Registers the page of what a client id, an address or a mailbox has left. */
function registerLimitsOf(app: FastifyInstance, { opened, servicesOf }: People) {
  showPage(app, '/people/limits/:sealed', async (request) => {
    const quota = await quotaOf(servicesOf(request).quota, 'showSubject', opened(request), '');
    const action = `/people/limits/${partOf(request, 'sealed')}`;
    return titled(
      'Limits',
      <>
        {noticeOf(request)}
        {limitsSection('What is left', quota, action)}
        <h2>What else gets 429</h2>
        <ul>
          <li>With a token, reads and contributions count for its person: find the person by the e-mail address.</li>
          <li>Requests for access and their mails count for the mailbox of the person who is asked.</li>
          <li>Polls for a token more often than every {rules.pollSeconds} seconds.</li>
          <li>Many pages for people in one minute from one IP address; programs use /api/v1.</li>
        </ul>
        {linkLine('/people', 'To people')}
      </>,
      { heading: ['Limits of ', <bdi>{quota.id}</bdi>] },
    );
  });

  takeForm(app, '/people/limits/:sealed', async (request) => {
    await quotaOf(servicesOf(request).quota, 'resetSubject', opened(request), requiredReasonOf(request));
    return `/people/limits/${partOf(request, 'sealed')}?done=limits-reset`;
  });
}

/** The start of support: one field for all that people name, and the erasures that wait for a second person. */
function findPage(request: FastifyRequest, erasures: readonly ErasureView[]) {
  return titled(
    'People',
    <>
      {noticeOf(request)}
      <h2>Find</h2>
      <form class="fields" method="post" action="/people/find">
        {csrfField()}
        {textField({
          name: 'what',
          label: 'An address, an id, a code or a name',
          required: true,
          maxlength: 254,
          hint: 'The e-mail address of a person; the id of a contribution, token or request of an agent; the user code or the name of an agent; its client id (X-Agent-Client-Id) or IP address; the X-Request-Id of an answer or an error page, if that request stored something.',
        })}
        {textField({
          name: 'day',
          type: 'date',
          label: 'Day of a mail that the person asks about, UTC (may be empty)',
        })}
        {textField({ name: 'reason', label: 'Why you look, stored with your name (may be empty)', maxlength: 80 })}
        <p>
          <button>Find</button>
        </p>
      </form>
      {erasureTable(erasures, staffOf(request).name)}
    </>,
  );
}

/** What the beginning of an id can mean. */
function foundPage(word: string, links: readonly Readonly<Record<'label' | 'path', string>>[]) {
  return titled(
    'Found',
    <>
      <ul>
        {links.map(({ label, path }) => (
          <li>
            <a href={path}>{label}</a>
          </li>
        ))}
      </ul>
      {findElse}
    </>,
    { heading: ['Found for ', <bdi>{word}</bdi>] },
  );
}

/** Says that nothing has this id, and what it can be. `limits` leads to the limits of a client id of this name, if it can be one. */
function nothingPage(word: string, limits: string | undefined) {
  return titled(
    'Nothing found',
    <>
      <p>
        It is no IP address. It may be the id, code or name of something that is deleted: most data goes 30 days after
        its end. A request that changed nothing, such as one that failed, is only in the log files of the operators,
        under <code>request_id</code>.
      </p>
      <p>
        {limits === undefined
          ? `It is no client id: one has ${bounds.clientId.min} to ${bounds.clientId.max} characters.`
          : ['Or it is the client id of an agent: ', <a href={limits}>the limits of a client id of this name</a>, '.']}
      </p>
      {findElse}
    </>,
    { heading: ['Nothing is known under ', <bdi>{word}</bdi>], status: 404 },
  );
}

const findElse = linkLine('/people', 'Find something else');

function nameOf(found: Found) {
  if (found.kind === 'person') return found.email;
  return found.kind === 'limits' ? found.subject : `${found.kind} ${found.id}`;
}
