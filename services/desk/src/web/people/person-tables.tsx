import type { Html } from '@knowledge/runtime/html';
import type { PersonView } from '../../person/person.js';
import { endedByWords } from '../../present/access.js';
import { typeOf } from '../../present/contribution.js';
import { reasonForm } from '../forms/blocks.js';
import { titledTable } from '../layout/tables.js';
import { siteTitle, strange, timeOf, words } from '../layout/values.js';
import { mailColumns } from './facts.js';
import { endTokenForm } from './forms.js';

/** The path of the page of one thing of a person. */
export function pathOfThing(path: string, kind: 'contribution' | 'request' | 'token', id: string): string {
  return `${path}/${kind}s/${id}`;
}

export function contributionTable({ contributions }: PersonView, path: string): Html {
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
export function mailTable({ mails }: PersonView, path: string, day: string): Html {
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

export function tokenTable({ tokens }: PersonView, path: string, csrf: string): Html {
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

export function requestTable({ authorizations }: PersonView, path: string, csrf: string): Html {
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
