import { ContributionFilter } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { KnowledgeError } from '@knowledge/runtime';
import { type ContributionState, rules } from '@knowledge/runtime/product';
import type { FastifyInstance } from 'fastify';
import { titleOf, typeOf } from '../base/contribution-words.js';
import type { MailView } from '../base/transition.js';
import { requireField } from '../base/words.js';
import { type ContributionView, presentContribution } from '../contributions/contribution.js';
import { facts, historyTable, partOf, showPage, strange, timeOf, titled, titledTable, words } from '../pages/index.js';
import {
  type AuthorizationView,
  endedByWords,
  presentAuthorization,
  presentTokenRecord,
  type TokenRecordView,
} from './access.js';
import type { People } from './web-sealed-person.js';
import { cancelRequestForm, endTokenForm, mailCells, pathOfThing, requester } from './web-sections.js';

/** Registers the pages of one token, one request and one contribution of a person. */
export function registerRecords(app: FastifyInstance, { personOf, servicesOf }: People): void {
  showPage(app, '/people/of/:sealed/tokens/:id', async (request) => {
    const person = personOf(request);
    const { grants } = servicesOf(request);
    const record = await grants.getTokenRecord({ id: partOf(request), reason: person.reason });
    return tokenPage(presentTokenRecord(record), person);
  });

  showPage(app, '/people/of/:sealed/requests/:id', async (request) => {
    const person = personOf(request);
    const { grants } = servicesOf(request);
    const wanted = { id: partOf(request), reason: person.reason };
    const { authorization } = await grants.getAuthorizationRecord(wanted);
    return requestPage(presentAuthorization(requireField(authorization)), person);
  });

  showPage(app, '/people/of/:sealed/contributions/:id', async (request) => {
    const { email, path } = personOf(request);
    const { moderation } = servicesOf(request);
    const filter = ContributionFilter.fromPartial({ email });
    const only = { filter, idPrefix: partOf(request), pageSize: 1, pageToken: '' };
    // Support may read lists, and not the record with its text that moderators read.
    const [record] = (await moderation.listContributionRecords(only)).contributions;
    if (record === undefined) throw new KnowledgeError('not_found', 'This person has no such contribution.');
    return contributionPage(presentContribution(record), email, path);
  });
}

interface Place {
  /** The path of the page of the person. */
  readonly path: string;
  readonly email: string;
}

/** One token: what it can do, who made, used and ended it, and its request. */
function tokenPage(token: TokenRecordView, { path, email }: Place) {
  const { authorization: request, ended_by, state } = token;
  return titled(
    'Token',
    <>
      {toPerson(path, email)}
      {facts({
        Id: token.id,
        State: state,
        Can: token.scopes.join(', ') || 'read only',
        Made: timeOf(token.created_at),
        'Last used': timeOf(token.last_used_at) ?? 'never',
        [state === 'active' ? 'Ends' : 'Ended']: timeOf(token.revoked_at ?? token.expires_at),
        'Ended by': endedByWords(ended_by),
        Request: request && <a href={pathOfThing(path, 'request', request.id)}>{request.id}</a>,
        Purpose: request && strange(request.purpose),
        Asked: request && timeOf(request.created_at),
        'Asked from': request && requester(request),
      })}
      {state === 'active' && endTokenForm(token, path)}
      {historyTable(token.history)}
      {request !== null && mailTable(request.mails)}
    </>,
    { heading: ['Token of ', strange(token.agent_name)] },
  );
}

/** One request of an agent: what it asked for, from where, what was decided, and the mails about it. */
function requestPage(request: AuthorizationView, { path, email }: Place) {
  const { id, state } = request;
  return titled(
    'Request',
    <>
      {toPerson(path, email)}
      {facts({
        Id: id,
        State: state,
        Purpose: strange(request.purpose),
        'Asks to': request.scopes.join(', ') || 'read only',
        Site: request.site,
        'User code': request.user_code,
        Asked: timeOf(request.created_at),
        Ends: timeOf(request.expires_at),
        Decided: timeOf(request.decided_at),
        Token: request.token_id && <a href={pathOfThing(path, 'token', request.token_id)}>{request.token_id}</a>,
        'Asked from': requester(request),
      })}
      {state === 'pending' && cancelRequestForm(request, path)}
      {historyTable(request.history)}
      {mailTable(request.mails)}
    </>,
    { heading: ['Request of ', strange(request.agent_name)] },
  );
}

/** What a contribution is and where it is. Its whole text is for moderators. */
function contributionPage(contribution: ContributionView, email: string, path: string) {
  const { state, about } = contribution;
  return titled(
    'Contribution',
    <>
      {toPerson(path, email)}
      <p>
        <strong>{nextOf[state] ?? words(state)}</strong>
      </p>
      {facts({
        Id: contribution.id,
        Type: `${words(typeOf(contribution))}, ${contribution.site}`,
        About: about && [strange(about.title), ` (${about.site}, ${about.slug ?? about.object_id})`],
        State: words(state),
        Agent: strange(contribution.agent_name),
        Sent: timeOf(contribution.submitted_at),
        Reviewed: timeOf(contribution.reviewed_at),
        Reason: strange(contribution.reason),
        'New text until': timeOf(contribution.changes_due_at),
        'Moderators can read it until': timeOf(contribution.erases_at),
        'Access ended': contribution.access_ended_by && ['by ', contribution.access_ended_by],
      })}
      {mailTable(contribution.mails)}
    </>,
    { heading: strange(titleOf(contribution)) ?? '(without words)' },
  );
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

function toPerson(path: string, email: string) {
  if (email === '') return <p>Of an erased human</p>;
  return (
    <p>
      Of <a href={path}>{strange(email)}</a>
    </p>
  );
}

/** The mails of one thing, oldest first. */
function mailTable(mails: readonly MailView[]) {
  return titledTable('Mails', mails, mailCells, 'It caused no mail.');
}
