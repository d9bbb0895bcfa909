import type { Html } from '@knowledge/runtime/html';
import { lookedUp, type PersonView } from '../../person/read-person.js';
import { typeOf } from '../../present/contribution.js';
import { endedByWords } from '../../present/token.js';
import { checkField, formBlock, reasonForm, selectField } from '../parts/fields.js';
import type { Shown } from '../parts/page.js';
import { siteChoices, siteTitle, strange, timeOf, titledTable, words } from '../parts/values.js';
import {
  blockSection,
  endTokenForm,
  erasureTable,
  limitsSection,
  mailColumns,
  noticeOf,
  reasonField,
} from './sections.js';

interface PersonFacts {
  readonly person: PersonView;
  /** The path of this page, which the forms begin with. */
  readonly path: string;
  readonly csrf: string;
  readonly actor: string;
  readonly done: string;
  /** The day whose mails are shown, for example `2026-06-01`; empty for all. */
  readonly day: string;
}

/** Everything that support needs to know about a person, and what it can do. */
export function personPage({ person, path, csrf, actor, done, day }: PersonFacts): Shown {
  const { id, quota, agents, erasures } = person;
  const main = (
    <>
      <h1>
        <bdi>{id}</bdi>
      </h1>
      <p class="soft">{lookedUp}</p>
      {noticeOf(done)}
      {erasures.length > 0 && erasureTable(erasures, csrf, actor)}
      {contributionTable(person, path)}
      {mailTable(person, path, day)}
      {tokenTable(person, path, csrf)}
      <p>
        <a href={`${path}/issue`}>Issue a token</a>
      </p>
      {requestTable(person, path, csrf)}
      {blockSection(person.block, path, csrf)}
      {limitsSection('What is left with a token', quota, `${path}/limits`, csrf)}
      {agents.map((agent) => limitsSection(`What is left for ${agent.id}`, agent, `${path}/limits`, csrf))}
      <h2>For this person</h2>
      {linkForm(path, csrf)}
      {exportForm(path, csrf)}
      {erasures.length === 0 && erasureForm(path, csrf)}
    </>
  );
  return { title: 'Person', main };
}

function linkForm(path: string, csrf: string): Html {
  return formBlock({
    action: `${path}/link`,
    csrf,
    title: 'Send the access link anew',
    button: 'Send the mail',
    about:
      'The mail opens the page where this person sees and ends accesses. It counts against the limits of the mailbox.',
    children: (
      <>
        {selectField({ name: 'site', id: 'link-site', label: 'Site', choices: siteChoices, value: 'org' })}
        {reasonField('link-reason')}
      </>
    ),
  });
}

function exportForm(path: string, csrf: string): Html {
  return formBlock({
    action: `${path}/export`,
    csrf,
    title: 'Export everything',
    button: 'Download',
    about: 'All that is stored about this person, as a file. Who exported it is stored too.',
    children: (
      <>
        {selectField({ name: 'format', id: 'export-format', label: 'Format', choices: formatChoices })}
        {reasonField('export-reason')}
      </>
    ),
  });
}

function erasureForm(path: string, csrf: string): Html {
  return formBlock({
    action: `${path}/erasure`,
    csrf,
    title: 'Ask for the erasure',
    button: 'Ask for the erasure',
    about: 'Nothing is erased before another staff member confirms it. The request lapses after seven days.',
    children: (
      <>
        {checkField({
          name: 'with_work',
          label: 'Delete published work too; otherwise it stays without the name',
        })}
        {reasonField('erasure-reason')}
      </>
    ),
  });
}

const formatChoices = [
  ['markdown', 'Markdown, for people'],
  ['json', 'JSON, for programs'],
] as const;

/** The path of the page of one thing of a person. */
export function pathOfThing(path: string, kind: 'contribution' | 'request' | 'token', id: string): string {
  return `${path}/${kind}s/${id}`;
}

function contributionTable({ contributions }: PersonView, path: string): Html {
  return titledTable(
    'Contributions',
    contributions,
    [
      {
        header: 'Title or first words',
        cell: ({ id, first_words }) => (
          <a href={pathOfThing(path, 'contribution', id)}>{strange(first_words) ?? '(without words)'}</a>
        ),
      },
      { header: 'Type', cell: (each) => `${words(typeOf(each))}, ${siteTitle(each.site)}` },
      { header: 'State', cell: ({ state }) => words(state) },
      { header: 'Reason', cell: ({ reason }) => strange(reason) },
      { header: 'Sent', cell: ({ submitted_at }) => timeOf(submitted_at) },
      { header: 'Reviewed', cell: ({ reviewed_at }) => timeOf(reviewed_at) },
    ],
    'This person has sent none, or they are deleted.',
  );
}

/** The mails to a person; with `day`, only those of that day and those that are not sent. */
function mailTable({ mails }: PersonView, path: string, day: string): Html {
  const shown = mails.filter(({ sent_at }) => day === '' || sent_at === null || sent_at.startsWith(day));
  return (
    <section id="mails">
      {titledTable(
        day === '' ? 'Mails to this person' : `Mails to this person on ${day}`,
        shown,
        [
          {
            header: 'Because of',
            cell: ({ id, cause, about }) =>
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
          },
          ...mailColumns,
        ],
        'No mail is stored.',
      )}
      <form class="inline" method="get" action={`${path}#mails`}>
        <label for="day">Day of the mail, UTC</label>
        <input id="day" name="day" type="date" value={day} />
        <button>Show</button>
      </form>
      <p class="soft">A mail in our name that is not listed is older than what is stored, or it is not from us.</p>
    </section>
  );
}

function tokenTable({ tokens }: PersonView, path: string, csrf: string): Html {
  return titledTable(
    'Tokens',
    tokens,
    [
      {
        header: 'Agent',
        cell: ({ id, agent_name }) => <a href={pathOfThing(path, 'token', id)}>{strange(agent_name)}</a>,
      },
      {
        header: 'State',
        cell: ({ state, ended_by }) => (ended_by === null ? state : `${state} by ${endedByWords(ended_by)}`),
      },
      { header: 'Can', cell: ({ scopes }) => scopes.join(', ') || 'read only' },
      { header: 'Made', cell: ({ created_at }) => timeOf(created_at) },
      { header: 'Last used', cell: ({ last_used_at }) => timeOf(last_used_at) },
      {
        header: 'End, with a mail that says why',
        cell: (token) => token.state === 'active' && endTokenForm(token, path, csrf),
      },
    ],
    'No agent holds a token of this person.',
  );
}

function requestTable({ authorizations }: PersonView, path: string, csrf: string): Html {
  return titledTable(
    'Requests of agents',
    authorizations,
    [
      {
        header: 'Agent',
        cell: ({ id, agent_name }) => <a href={pathOfThing(path, 'request', id)}>{strange(agent_name)}</a>,
      },
      { header: 'Purpose', cell: ({ purpose }) => strange(purpose) },
      { header: 'State', cell: ({ state }) => state },
      { header: 'Asked', cell: ({ created_at }) => timeOf(created_at) },
      {
        header: 'From',
        cell: ({ client_id, client_address }) => strange([client_id, client_address].filter(Boolean).join(', ')),
      },
      {
        header: 'Cancel',
        cell: ({ id, state, agent_name }) =>
          state === 'pending' &&
          reasonForm({
            action: `${pathOfThing(path, 'request', id)}/cancel`,
            csrf,
            button: 'Cancel',
            label: `Cancel the request of ${agent_name}`,
          }),
      },
    ],
    'No agent has asked this person.',
  );
}
