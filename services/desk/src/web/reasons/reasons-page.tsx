import type { Html } from '@knowledge/runtime/html';
import { bounds } from '@knowledge/runtime/product';
import { decisions, type ReasonView } from '../../present/reason.js';
import { formFault } from '../forms/buttons.js';
import { csrfField } from '../forms/csrf-field.js';
import { areaField, checkField, textField } from '../forms/fields.js';
import type { Shown } from '../layout/send-page.js';
import { type Column, tableOf } from '../layout/tables.js';

/** The canned reasons, and a form for another one or for the one that is open. */
export function reasonsPage(
  reasons: readonly ReasonView[],
  form: ReasonView,
  csrf: string,
  fault: string | undefined,
): Shown {
  const main = (
    <>
      <h1>Canned reasons</h1>
      <p class="soft">
        Moderators choose one in place of writing it. A decision keeps the words that it was made with, so a change here
        changes no decision.
      </p>
      {tableOf('Reasons', reasons, columns, 'There are none yet.')}
      <h2>{form.id === '' ? 'Another reason' : 'Change a reason'}</h2>
      {formFault(fault)}
      {reasonForm(form, csrf, fault !== undefined)}
    </>
  );
  return { title: 'Canned reasons', main, status: fault === undefined ? 200 : 400 };
}

const columns: readonly Column<ReasonView>[] = [
  {
    header: 'Reason',
    cell: ({ id, words }) => (
      <>
        <a href={`/admin/reasons?edit=${encodeURIComponent(id)}#reason-form`}>{id}</a>
        <span class="small">
          <bdi>{words}</bdi>
        </span>
      </>
    ),
  },
  { header: 'For', cell: ({ decisions }) => decisions.join(', ') },
  { header: 'Place', cell: ({ order }) => order },
  {
    header: 'Delete',
    cell: ({ id }) => (
      <a href={`/admin/reasons/${encodeURIComponent(id)}/delete`} aria-label={`Delete the reason ${id}`}>
        Delete
      </a>
    ),
  },
];

function reasonForm({ id, words, decisions: chosen, order }: ReasonView, csrf: string, isUnsent: boolean): Html {
  return (
    <form class="edit" id="reason-form" method="post" action="/admin/reasons" data-unsent={isUnsent}>
      {csrfField(csrf)}
      {textField({
        ...{ name: 'id', label: 'Name', value: id, required: true, maxlength: 80 },
        hint: 'a-z, 0-9 and hyphens. A name that exists already gets the new words.',
      })}
      {areaField({
        ...{ name: 'words', label: 'Words', value: words },
        ...{ rows: 3, required: true, maxlength: bounds.reason.max },
      })}
      <fieldset>
        <legend>Offered for</legend>
        {decisions.map((decision) =>
          checkField({
            ...{ name: `for-${decision}`, label: decision.replaceAll('-', ' ') },
            checked: chosen.includes(decision),
          }),
        )}
      </fieldset>
      {textField({
        ...{ name: 'order', label: 'Place in the list, from 0', value: String(order) },
        ...{ inputmode: 'numeric', maxlength: 6 },
      })}
      <p>
        <button class="main">Save the reason</button>
      </p>
    </form>
  );
}
