import { ContributionFilter } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { KnowledgeError } from '@knowledge/runtime';
import type { Html } from '@knowledge/runtime/html';
import { type ContributionState, rules } from '@knowledge/runtime/product';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type AuthorizationView, presentAuthorization } from '../../present/authorization.js';
import { type ContributionView, presentContribution, typeOf } from '../../present/contribution.js';
import { titleOf } from '../../present/first-words.js';
import { requireField } from '../../present/require-field.js';
import { endedByWords } from '../../present/token.js';
import { presentTokenRecord, type TokenRecordView } from '../../present/token-record.js';
import { reasonForm } from '../parts/fields.js';
import { type Shown, sendPage } from '../parts/page.js';
import { strange, timeOf, words } from '../parts/values.js';
import { csrfTokenOf } from '../requests.js';
import { pathOfThing } from './person-page.js';
import type { OfThing, SealedPaths, ServicesOf } from './sealed-person.js';
import { endTokenForm, factList, historyTable, mailsOfThing } from './sections.js';

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

interface Place {
  /** The path of the page of the person. */
  readonly path: string;
  readonly email: string;
  readonly csrf: string;
}

/** One token: what it can do, who made, used and ended it, and its request. */
function tokenPage(token: TokenRecordView, { path, email, csrf }: Place): Shown {
  const { authorization: request, ended_by, state } = token;
  const main = (
    <>
      <h1>Token of {strange(token.agent_name)}</h1>
      {toPerson(path, email)}
      {factList([
        ['Id', token.id],
        ['State', state],
        ['Can', token.scopes.join(', ') || 'read only'],
        ['Made', timeOf(token.created_at)],
        ['Last used', timeOf(token.last_used_at) ?? 'never'],
        [state === 'active' ? 'Ends' : 'Ended', timeOf(token.revoked_at ?? token.expires_at)],
        ['Ended by', endedByWords(ended_by)],
        ['Request', request && <a href={pathOfThing(path, 'request', request.id)}>{request.id}</a>],
        ['Purpose', request && strange(request.purpose)],
        ['Asked', request && timeOf(request.created_at)],
        ['Asked from', request && requester(request)],
      ])}
      {state === 'active' && endTokenForm(token, path, csrf)}
      {historyTable(token.history)}
      {request !== null && mailsOfThing(request.mails)}
    </>
  );
  return { title: 'Token', main };
}

/** One request of an agent: what it asked for, from where, what was decided, and the mails about it. */
function requestPage(request: AuthorizationView, { path, email, csrf }: Place): Shown {
  const { id, state, agent_name } = request;
  const main = (
    <>
      <h1>Request of {strange(agent_name)}</h1>
      {toPerson(path, email)}
      {factList([
        ['Id', id],
        ['State', state],
        ['Purpose', strange(request.purpose)],
        ['Asks to', request.scopes.join(', ') || 'read only'],
        ['Site', request.site],
        ['User code', request.user_code],
        ['Asked', timeOf(request.created_at)],
        ['Ends', timeOf(request.expires_at)],
        ['Decided', timeOf(request.decided_at)],
        ['Token', request.token_id && <a href={pathOfThing(path, 'token', request.token_id)}>{request.token_id}</a>],
        ['Asked from', requester(request)],
      ])}
      {state === 'pending' &&
        reasonForm({
          action: `${pathOfThing(path, 'request', id)}/cancel`,
          csrf,
          button: 'Cancel',
          label: `Cancel the request of ${agent_name}`,
        })}
      {historyTable(request.history)}
      {mailsOfThing(request.mails)}
    </>
  );
  return { title: 'Request', main };
}

/** What a contribution is and where it is. Its whole text is for moderators. */
function contributionPage(contribution: ContributionView, { path, email }: Omit<Place, 'csrf'>): Shown {
  const { state, about } = contribution;
  const main = (
    <>
      <h1>{strange(titleOf(contribution)) ?? '(without words)'}</h1>
      {toPerson(path, email)}
      <p>
        <strong>{nextOf[state] ?? words(state)}</strong>
      </p>
      {factList([
        ['Id', contribution.id],
        ['Type', `${words(typeOf(contribution))}, ${contribution.site}`],
        ['About', about && [strange(about.title), ` (${about.site}, ${about.slug ?? about.object_id})`]],
        ['State', words(state)],
        ['Agent', strange(contribution.agent_name)],
        ['Sent', timeOf(contribution.submitted_at)],
        ['Reviewed', timeOf(contribution.reviewed_at)],
        ['Reason', strange(contribution.reason)],
        ['New text until', timeOf(contribution.changes_due_at)],
        ['Moderators can read it until', timeOf(contribution.erases_at)],
        ['Access ended', contribution.access_ended_by && ['by ', contribution.access_ended_by]],
      ])}
      {mailsOfThing(contribution.mails)}
    </>
  );
  return { title: 'Contribution', main };
}

/** What each state means for somebody who asks where the story is. */
const nextOf: Readonly<Record<string, string>> & Readonly<Record<ContributionState, string>> = {
  pending_review: 'It waits for a moderator. The person gets a mail about the decision.',
  changes_requested: `A moderator asked for changes. It waits for a new text of the agent, for ${rules.changesDays} days.`,
  approved: 'It is accepted, and readers do not see it yet.',
  published: 'Readers see it.',
  retracted: 'Readers saw it; now it is taken down.',
  rejected: 'A moderator rejected it.',
  withdrawn: 'Its agent or its human withdrew it before the review.',
  answered: 'A moderator answered the inquiry.',
  closed: 'A moderator closed the inquiry without an answer.',
};

function requester({ client_id, client_address }: AuthorizationView): Html | undefined {
  return strange([client_id, client_address].filter(Boolean).join(', '));
}

function toPerson(path: string, email: string): Html {
  return (
    <p>
      Of <a href={path}>{strange(email)}</a>
    </p>
  );
}
