import type { Html } from '@knowledge/runtime/html';
import type { ErasureView } from '../../person/person.js';
import { reasonForm } from '../forms/blocks.js';
import { csrfField } from '../forms/csrf-field.js';
import { checkField } from '../forms/fields.js';
import { titledTable } from '../layout/tables.js';
import { strange, timeOf } from '../layout/values.js';

/** The open erasures. Who asked cannot confirm; the services check it too. */
export function erasureTable(erasures: readonly ErasureView[], csrf: string, actor: string): Html {
  return titledTable(
    'Erasures that need a second person',
    erasures,
    [
      { header: 'Person', cell: ({ email }) => strange(email) },
      { header: 'Published work', cell: ({ with_work }) => (with_work ? 'is deleted too' : 'stays without the name') },
      { header: 'Reason', cell: ({ reason }) => strange(reason) },
      {
        header: 'Asked by',
        cell: (each) => (
          <>
            {strange(each.asked_by)}, {timeOf(each.asked_at)}
          </>
        ),
      },
      {
        header: 'Lapses',
        cell: (each) => (each.state === 'waiting' ? timeOf(each.lapses_at) : 'confirmed, not finished'),
      },
      { header: 'Decide', cell: (each) => decide(each, csrf, actor) },
    ],
    'None waits.',
  );
}

function decide({ id, state, email, asked_by }: ErasureView, csrf: string, actor: string): Html {
  const whom = email ?? 'this person';
  const finish = state === 'waiting' ? 'Confirm and erase' : 'Finish erasing';
  const isOwn = asked_by.toLowerCase() === actor.toLowerCase();
  return (
    <>
      {isOwn && state === 'waiting' ? (
        <p class="small">Another staff member must confirm it.</p>
      ) : (
        <form method="post" action={`/people/erasures/${id}/confirm`}>
          {csrfField(csrf)}
          {checkField({ name: 'checked', label: 'I compared the address; it cannot be undone', required: true })}
          <button aria-label={`${finish} ${whom}`}>{finish}</button>
        </form>
      )}
      {state === 'waiting' &&
        reasonForm({
          action: `/people/erasures/${id}/cancel`,
          csrf,
          button: 'Cancel',
          label: `Cancel the erasure of ${whom}`,
        })}
    </>
  );
}
