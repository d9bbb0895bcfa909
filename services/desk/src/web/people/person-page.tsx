import type { Html } from '@knowledge/runtime/html';
import type { PersonView } from '../../person/read-person.js';
import { formBlock, reasonForm } from '../forms/blocks.js';
import { checkField, selectField, textField } from '../forms/fields.js';
import type { Shown } from '../layout/send-page.js';
import { titledTable } from '../layout/tables.js';
import { strange, timeOf, words } from '../layout/values.js';
import { erasureTable } from './erasure-table.js';
import { limitsSection } from './limits-section.js';
import { noticeOf } from './notices.js';

interface PersonFacts {
  readonly person: PersonView;
  /** The path of this page, which the forms begin with. */
  readonly path: string;
  readonly csrf: string;
  readonly actor: string;
  readonly done: string;
}

/** Everything that support needs to know about a person, and what it can do. */
export function personPage({ person, path, csrf, actor, done }: PersonFacts): Shown {
  const { id, quota, agents, erasures } = person;
  const main = (
    <>
      <h1>
        <bdi>{id}</bdi>
      </h1>
      {noticeOf(done)}
      {erasures.length > 0 && erasureTable(erasures, csrf, actor)}
      {contributionTable(person)}
      {mailTable(person)}
      {tokenTable(person, path, csrf)}
      {requestTable(person, path, csrf)}
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

function contributionTable({ contributions }: PersonView): Html {
  return titledTable(
    'Contributions',
    contributions,
    [
      { header: 'Title', cell: ({ title, type }) => strange(title) ?? `(${words(type)} without a title)` },
      { header: 'Type', cell: ({ type, site }) => `${words(type)}, ${site}` },
      { header: 'State', cell: ({ state }) => words(state) },
      { header: 'Reason', cell: ({ reason }) => strange(reason) },
      { header: 'Sent', cell: ({ submitted_at }) => timeOf(submitted_at) },
      { header: 'Reviewed', cell: ({ reviewed_at }) => timeOf(reviewed_at) },
    ],
    'This person has sent none, or they are deleted.',
  );
}

function mailTable({ mails }: PersonView): Html {
  return titledTable(
    'Mails to this person',
    mails,
    [
      { header: 'Mail', cell: ({ purpose }) => words(purpose) },
      {
        header: 'Because of',
        cell: ({ cause, about }) => (
          <>
            {words(cause)} {strange(about)}
          </>
        ),
      },
      {
        header: 'Delivery',
        cell: ({ state, attempts }) => `${state}, ${attempts} ${attempts === 1 ? 'try' : 'tries'}`,
      },
      { header: 'Sent', cell: ({ sent_at }) => timeOf(sent_at) },
    ],
    'No mail about a request or a contribution is stored.',
  );
}

function tokenTable({ tokens }: PersonView, path: string, csrf: string): Html {
  return titledTable(
    'Tokens',
    tokens,
    [
      { header: 'Agent', cell: ({ agent_name }) => strange(agent_name) },
      { header: 'State', cell: ({ state, ended_by }) => (ended_by === null ? state : `${state} by ${ended_by}`) },
      { header: 'Can', cell: ({ scopes }) => scopes.join(', ') || 'read only' },
      { header: 'Made', cell: ({ created_at }) => timeOf(created_at) },
      { header: 'Last used', cell: ({ last_used_at }) => timeOf(last_used_at) },
      {
        header: 'End',
        cell: ({ id, state, agent_name }) =>
          state === 'active' &&
          reasonForm({
            ...{ action: `${path}/tokens/${id}/end`, csrf, button: 'End' },
            ...{ label: `End the token of ${agent_name}`, children: keepWaiting },
          }),
      },
    ],
    'No agent holds a token of this person.',
  );
}

const keepWaiting = checkField({ name: 'keep_waiting', label: 'keep what waits for review' });

function requestTable({ authorizations }: PersonView, path: string, csrf: string): Html {
  return titledTable(
    'Requests of agents',
    authorizations,
    [
      { header: 'Agent', cell: ({ agent_name }) => strange(agent_name) },
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
            ...{ action: `${path}/requests/${id}/cancel`, csrf, button: 'Cancel' },
            label: `Cancel the request of ${agent_name}`,
          }),
      },
    ],
    'No agent has asked this person.',
  );
}

function linkForm(path: string, csrf: string): Html {
  return formBlock({
    ...{ action: `${path}/link`, csrf, title: 'Send the access link anew', button: 'Send the mail' },
    about:
      'The mail opens the page where this person sees and ends accesses. It counts against the limits of the mailbox.',
    children: (
      <>
        {selectField({ name: 'site', id: 'link-site', label: 'Site', choices: siteChoices })}
        {reasonField('link-reason')}
      </>
    ),
  });
}

function exportForm(path: string, csrf: string): Html {
  return formBlock({
    ...{ action: `${path}/export`, csrf, title: 'Export everything', button: 'Download' },
    about: 'All that is stored about this person, as a file. Both services store who exported it.',
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
    ...{ action: `${path}/erasure`, csrf, title: 'Ask for the erasure', button: 'Ask for the erasure' },
    about: 'Nothing is erased before another staff member confirms it. The request lapses after seven days.',
    children: (
      <>
        {checkField({
          ...{ name: 'with_work', label: 'Delete published work too; otherwise it stays without the name' },
        })}
        {reasonField('erasure-reason')}
      </>
    ),
  });
}

const siteChoices = [
  ['org', 'Organisation (org)'],
  ['io', 'Engineering (io)'],
] as const;

const formatChoices = [
  ['markdown', 'Markdown, for people'],
  ['json', 'JSON, for programs'],
] as const;

/** The field of a reason; `id` tells several of one page apart. */
function reasonField(id: string): Html {
  return textField({ id, name: 'reason', label: 'Reason, stored with your name', required: true, maxlength: 2000 });
}
