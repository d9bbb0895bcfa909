import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { clientNamed, type Found, findByWord, withoutToken } from '../../person/find-by-word.js';
import { presentErasure } from '../../person/person.js';
import { csrfTokenOf } from '../http/csrf.js';
import { formField } from '../http/form-field.js';
import { staffOf } from '../http/session.js';
import { sendPage } from '../layout/send-page.js';
import { findPage, foundPage, nothingPage } from './find-page.js';
import { pathOfThing } from './person-tables.js';
import type { Sealed, SealedPaths } from './sealed-person.js';
import type { ServicesOf } from './services-of.js';

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
