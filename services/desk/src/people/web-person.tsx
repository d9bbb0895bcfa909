import { KnowledgeError } from '@knowledge/runtime';
import { rules } from '@knowledge/runtime/product';
import type { FastifyInstance } from 'fastify';
import { typeOf } from '../base/contribution-words.js';
import { terminalSafeLine } from '../base/text.js';
import { quotaOf, readSubject } from '../limits/limits.js';
import {
  checkField,
  formBlock,
  formField,
  linkLine,
  requiredReasonOf,
  selectField,
  sendFile,
  showPage,
  siteChoices,
  siteTitle,
  staffOf,
  strange,
  titled,
  titledTable,
  words,
} from '../pages/index.js';
import { endedByWords } from './access.js';
import { exportPerson, personMarkdown } from './export-person.js';
import { askForErasure, lookedUp, type PersonView, readPerson, sendAccessLink } from './person.js';
import type { People } from './web-sealed-person.js';
import {
  blockSection,
  cancelRequestForm,
  endTokenForm,
  erasureTable,
  limitsSection,
  mailCells,
  noticeOf,
  pathOfThing,
  requester,
  requiredReasonField,
} from './web-sections.js';

/** Registers the page with everything that support needs to know about a person, and what it can do. */
export function registerPerson(app: FastifyInstance, people: People): void {
  const { personOf, servicesOf } = people;

  showPage(app, '/people/of/:sealed', async (request) => {
    const { email, reason, path } = personOf(request);
    const [day = ''] = /^\d{4}-\d{2}-\d{2}$/.exec(formField(request.query, 'day', 10)) ?? [];
    const person = await readPerson(servicesOf(request), email, reason, day);
    const { id, quota, agents, erasures } = person;
    return titled(
      'Person',
      <>
        <p class="soft">{lookedUp}</p>
        {noticeOf(request)}
        {erasures.length > 0 && erasureTable(erasures, staffOf(request).name)}
        {contributionTable(person, path)}
        {mailTable(person, path, day)}
        {tokenTable(person, path)}
        {linkLine(`${path}/issue`, 'Issue a token')}
        {requestTable(person, path)}
        {blockSection(person.block, path)}
        {limitsSection('What is left with a token', quota, `${path}/limits`)}
        {agents.map((agent) =>
          limitsSection(`What is left for ${terminalSafeLine(agent.id)}`, agent, `${path}/limits`),
        )}
        <h2>For this person</h2>
        {linkForm(path)}
        {exportForm(path)}
        {erasures.length === 0 && erasureForm(path)}
      </>,
      { heading: <bdi>{id}</bdi> },
    );
  });

  people.take(app, 'link', async ({ email }, services, request) => {
    const site = formField(request.body, 'site');
    await sendAccessLink(services, { email, site, reason: requiredReasonOf(request) });
    return 'link-sent';
  });

  app.post('/people/of/:sealed/export', async (request, reply) => {
    const { email } = personOf(request);
    const format = formField(request.body, 'format');
    if (format !== 'markdown' && format !== 'json') {
      throw new KnowledgeError('validation_error', 'The format must be markdown or json.');
    }
    const data = await exportPerson(servicesOf(request), email, requiredReasonOf(request));
    const name = `person-${data.exported_at.slice(0, 10)}`;
    return format === 'markdown'
      ? sendFile(reply, `${name}.md`, 'text/markdown; charset=utf-8', personMarkdown(data))
      : sendFile(reply, `${name}.json`, 'application/json; charset=utf-8', JSON.stringify(data, undefined, 2));
  });

  people.take(app, 'erasure', async ({ email }, services, request) => {
    const withWork = formField(request.body, 'with_work') === 'yes';
    await askForErasure(services, { email, withWork, reason: requiredReasonOf(request) });
    return 'erasure-asked';
  });

  people.take(app, 'limits', async (_person, { quota }, request) => {
    const subject = formField(request.body, 'subject', 300);
    if (readSubject(subject) === undefined) {
      throw new KnowledgeError('validation_error', 'value: must name who is counted.');
    }
    await quotaOf(quota, 'resetSubject', subject, requiredReasonOf(request));
    return 'limits-reset';
  });
}

function contributionTable({ contributions }: PersonView, path: string) {
  return titledTable(
    'Contributions',
    contributions,
    {
      'Title or first words': ({ id, first_words }) => (
        <a href={pathOfThing(path, 'contribution', id)}>{strange(first_words) ?? '(without words)'}</a>
      ),
      Type: (each) => `${words(typeOf(each))}, ${siteTitle(each.site)}`,
      State: ({ state }) => words(state),
      Reason: 'reason',
      Sent: 'submitted_at',
      Reviewed: 'reviewed_at',
    },
    'This person has sent none, or they are deleted.',
  );
}

/** The mails to a person. With a day, such as `2026-06-01`, only those of that day and those that are not sent. */
function mailTable({ mails, only_newest: limit }: PersonView, path: string, day: string) {
  const shown = mails.filter(({ sent_at }) => day === '' || sent_at === null || sent_at.startsWith(day));
  return (
    <section id="mails">
      {titledTable(
        day === '' ? 'Mails to this person' : `Mails to this person on ${day}`,
        shown,
        {
          'Because of': ({ id, cause, about }) =>
            id === '' ? (
              'own page'
            ) : (
              <>
                <a href={pathOfThing(path, cause === 'request' ? 'request' : 'contribution', id)}>
                  {words(cause)} {id.slice(0, 8)}
                </a>{' '}
                {strange(about)}
              </>
            ),
          ...mailCells,
        },
        'No mail is stored.',
      )}
      <form class="inline" method="get" action={`${path}#mails`}>
        <label for="day">Day of the mail, UTC</label>
        <input id="day" name="day" type="date" value={day} />
        <button>Show</button>
      </form>
      <p class="soft">
        {limit === null
          ? 'A mail in our name that is not listed is older than what is stored, or it is not from us.'
          : `Only the newest ${limit} tokens, requests and contributions were looked through${day === '' ? '; choose a day to look through more' : ''}.`}
      </p>
    </section>
  );
}

function tokenTable({ tokens }: PersonView, path: string) {
  return titledTable(
    'Tokens',
    tokens,
    {
      Agent: ({ id, agent_name }) => <a href={pathOfThing(path, 'token', id)}>{strange(agent_name)}</a>,
      State: ({ state, ended_by }) => (ended_by === null ? state : `${state} by ${endedByWords(ended_by)}`),
      Can: ({ scopes }) => scopes.join(', ') || 'read only',
      Made: 'created_at',
      'Last used': 'last_used_at',
      'End, with a mail that says why': (token) => token.state === 'active' && endTokenForm(token, path),
    },
    'No agent holds a token of this person.',
  );
}

function requestTable({ authorizations }: PersonView, path: string) {
  return titledTable(
    'Requests of agents',
    authorizations,
    {
      Agent: ({ id, agent_name }) => <a href={pathOfThing(path, 'request', id)}>{strange(agent_name)}</a>,
      Purpose: 'purpose',
      State: ({ state }) => state,
      Asked: 'created_at',
      From: requester,
      Cancel: (each) => each.state === 'pending' && cancelRequestForm(each, path),
    },
    'No agent has asked this person.',
  );
}

function linkForm(path: string) {
  return formBlock({
    action: `${path}/link`,
    title: 'Send the access link anew',
    button: 'Send the mail',
    about:
      'The mail opens the page where this person sees and ends accesses. It counts against the limits of the mailbox.',
    children: [
      selectField({ name: 'site', id: 'link-site', label: 'Site', choices: siteChoices, value: 'org' }),
      requiredReasonField('link-reason'),
    ],
  });
}

function exportForm(path: string) {
  return formBlock({
    action: `${path}/export`,
    title: 'Export everything',
    button: 'Download',
    about: 'All that is stored about this person, as a file. Who exported it is stored too.',
    children: [
      selectField({ name: 'format', id: 'export-format', label: 'Format', choices: formats }),
      requiredReasonField('export-reason'),
    ],
  });
}

const formats = [
  ['markdown', 'Markdown, for people'],
  ['json', 'JSON, for programs'],
] as const;

function erasureForm(path: string) {
  return formBlock({
    action: `${path}/erasure`,
    title: 'Ask for the erasure',
    button: 'Ask for the erasure',
    about: `Nothing is erased before another staff member confirms it. The request lapses after ${rules.erasureDays} days.`,
    children: [
      checkField({ name: 'with_work', label: 'Delete published work too; otherwise it stays without the name' }),
      requiredReasonField('erasure-reason'),
    ],
  });
}
