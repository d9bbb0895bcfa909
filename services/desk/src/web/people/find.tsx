import { KnowledgeError } from '@knowledge/runtime';
import { bounds } from '@knowledge/runtime/product';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { clientNamed, type Found, findByWord, withoutToken } from '../../person/find-by-word.js';
import { type ErasureView, presentErasure } from '../../present/erasure.js';
import { csrfField, textField } from '../parts/fields.js';
import { formField } from '../parts/form-values.js';
import { type Shown, sendPage } from '../parts/page.js';
import { csrfTokenOf } from '../requests.js';
import { staffOf } from '../session.js';
import { pathOfThing } from './person-page.js';
import type { Sealed, SealedPaths, ServicesOf } from './sealed-person.js';
import { erasureTable, noticeOf } from './sections.js';

type OfId = { Params: { id: string } };

/** Registers the start of support: one field that takes everything a person or an agent may name. */
export function registerFind(app: FastifyInstance, servicesOf: ServicesOf, paths: SealedPaths): void {
  app.get('/people', async (request, reply) => {
    const { erasures, call } = servicesOf(request);
    const page = { all: false, email: '', pageSize: 200, pageToken: '' };
    const open = (await erasures.listErasures(page, call())).erasures.map(presentErasure);
    const done = formField(request.query, 'done', 40);
    const facts = { erasures: open, csrf: csrfTokenOf(reply), actor: staffOf(request).name, done };
    return sendPage(reply, findPage(facts));
  });

  app.post('/people/find', async (request, reply) => {
    const word = withoutToken(formField(request.body, 'what', 254).trim());
    const day = formField(request.body, 'day', 10);
    if (word === '') throw new KnowledgeError('validation_error', 'Type an address, an id, a code or a name.');
    const reason = formField(request.body, 'reason', 80);
    const asked = new URLSearchParams(day === '' ? {} : { day });
    return reply.redirect(`/people/found/${paths.seal(request, JSON.stringify([word, reason]))}?${asked}`, 303);
  });

  // An id names no person, so it may stand in a path. Other pages link to it.
  app.get<OfId>('/people/id/:id', async (request, reply) =>
    reply.redirect(`/people/found/${paths.seal(request, JSON.stringify([request.params.id, '']))}`, 303),
  );

  app.get<Sealed>('/people/found/:sealed', async (request, reply) => {
    const [word = '', reason = ''] = JSON.parse(paths.opened(request)) as string[];
    const found = await findByWord(servicesOf(request), word, reason);
    const day = formField(request.query, 'day', 10);
    if (found.length === 0) {
      const client = clientNamed(word);
      return sendPage(reply, nothingPage(word, client && `/people/limits/${paths.seal(request, client)}`));
    }
    const links = found.map((each) => ({ found: each, path: pathOf(request, each, reason, day) }));
    const [only] = links;
    if (links.length === 1 && only !== undefined) return reply.redirect(only.path, 303);
    return sendPage(reply, foundPage(word, links));
  });

  function pathOf(request: FastifyRequest, found: Found, reason: string, day: string): string {
    if (found.kind === 'limits') return `/people/limits/${paths.seal(request, found.subject)}`;
    const person = paths.toPerson(request, { email: found.email, reason });
    if (found.kind === 'person') return day === '' ? person : `${person}?${new URLSearchParams({ day })}#mails`;
    return pathOfThing(person, found.kind, found.id);
  }
}

interface FindFacts {
  readonly erasures: readonly ErasureView[];
  readonly csrf: string;
  readonly actor: string;
  readonly done: string;
}

/** The start of support: one field for all that people name, and the erasures that wait for a second person. */
function findPage({ erasures, csrf, actor, done }: FindFacts): Shown {
  const main = (
    <>
      <h1>People</h1>
      {noticeOf(done)}
      <h2>Find</h2>
      <form class="fields" method="post" action="/people/find">
        {csrfField(csrf)}
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
      {erasureTable(erasures, csrf, actor)}
    </>
  );
  return { title: 'People', main };
}

interface FoundLink {
  readonly found: Found;
  readonly path: string;
}

/** What the beginning of an id can mean. */
function foundPage(word: string, links: readonly FoundLink[]): Shown {
  const main = (
    <>
      <h1>
        Found for <bdi>{word}</bdi>
      </h1>
      <ul>
        {links.map(({ found, path }) => (
          <li>
            <a href={path}>{nameOf(found)}</a>
          </li>
        ))}
      </ul>
      {findElse}
    </>
  );
  return { title: 'Found', main };
}

/** Says that nothing has this id, and what it can be. `limits` leads to the limits of a client id of this name, if it can be one. */
function nothingPage(word: string, limits: string | undefined): Shown {
  const main = (
    <>
      <h1>
        Nothing is known under <bdi>{word}</bdi>
      </h1>
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
    </>
  );
  return { title: 'Nothing found', main, status: 404 };
}

const findElse = (
  <p>
    <a href="/people">Find something else</a>
  </p>
);

function nameOf(found: Found): string {
  if (found.kind === 'person') return found.email;
  return found.kind === 'limits' ? found.subject : `${found.kind} ${found.id}`;
}
