import { ContributionFilter } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { presentAuthorization, presentTokenRecord } from '../../present/access.js';
import { presentContribution } from '../../present/contribution.js';
import { requireField } from '../../words.js';
import { csrfTokenOf } from '../http/csrf.js';
import { sendPage } from '../layout/send-page.js';
import { contributionPage, requestPage, tokenPage } from './record-pages.js';
import type { OfThing, SealedPaths } from './sealed-person.js';
import type { ServicesOf } from './services-of.js';

/** Registers the pages of one token, one request and one contribution of a person. */
export function registerRecords(app: FastifyInstance, servicesOf: ServicesOf, paths: SealedPaths): void {
  const placeOf = (person: { path: string; email: string }, reply: FastifyReply) => ({
    ...person,
    csrf: csrfTokenOf(reply),
  });

  app.get<OfThing>('/people/of/:sealed/tokens/:id', async (request, reply) => {
    const person = paths.personOf(request);
    const { grants, call } = servicesOf(request);
    const record = await grants.getTokenRecord({ id: request.params.id, reason: person.reason }, call());
    return sendPage(reply, tokenPage(presentTokenRecord(record), placeOf(person, reply)));
  });

  app.get<OfThing>('/people/of/:sealed/requests/:id', async (request, reply) => {
    const person = paths.personOf(request);
    const { grants, call } = servicesOf(request);
    const { id } = request.params;
    const { authorization } = await grants.getAuthorizationRecord({ id, reason: person.reason }, call());
    return sendPage(reply, requestPage(presentAuthorization(requireField(authorization)), placeOf(person, reply)));
  });

  app.get<OfThing>('/people/of/:sealed/contributions/:id', async (request, reply) => {
    const { email, path } = paths.personOf(request);
    const { moderation, call } = servicesOf(request);
    const filter = ContributionFilter.fromPartial({ email });
    const only = { filter, idPrefix: request.params.id, pageSize: 1, pageToken: '' };
    // Support may read lists, and not the record with its text that moderators read.
    const [record] = (await moderation.listContributionRecords(only, call())).contributions;
    if (record === undefined) throw new KnowledgeError('not_found', 'This person has no such contribution.');
    return sendPage(reply, contributionPage(presentContribution(record), { email, path }));
  });
}
