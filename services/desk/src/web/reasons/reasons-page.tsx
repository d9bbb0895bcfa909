import type { Html } from '@knowledge/runtime/html';
import { bounds } from '@knowledge/runtime/product';
import { decisions, type ReasonView } from '../../present/reason.js';
import { csrfField } from '../forms/csrf-field.js';
import { areaField, checkField, textField } from '../forms/fields.js';
import { type FormFaults, fieldsOf } from '../forms/form-values.js';
import { isRefused, refusal } from '../forms/text-form.js';
import type { Shown } from '../layout/send-page.js';
import { type Column, tableOf } from '../layout/tables.js';

/** The fields of the form, as the service names them. */
export const reasonFields = ['id', 'words', 'decisions', 'order'] as const;

export type ReasonField = (typeof reasonFields)[number];

/** A reason as it was typed. */
export interface ReasonForm extends Omit<ReasonView, 'order'> {
  readonly order: string;
}

/** The canned reasons, and a form for another one or for the one that is open. */
export function reasonsPage(
  reasons: readonly ReasonView[],
  form: ReasonForm,
  csrf: string,
  faults: FormFaults<ReasonField>,
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
      {refusal(faults)}
      {reasonForm(form, csrf, faults)}
    </>
  );
  return { title: 'Canned reasons', main, status: isRefused(faults) ? 422 : 200 };
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

function reasonForm(form: ReasonForm, csrf: string, faults: FormFaults<ReasonField>): Html {
  const field = fieldsOf({ ...form, decisions: '' }, faults);
  const { fault } = field('decisions', 'Offered for');
  return (
    <form class="edit" id="reason-form" method="post" action="/admin/reasons" data-unsent={isRefused(faults)}>
      {csrfField(csrf)}
      {textField({
        ...field('id', 'Name', 'a-z, 0-9 and hyphens. A name that exists already gets the new words.'),
        required: true,
        maxlength: 80,
      })}
      {areaField({ ...field('words', 'Words'), rows: 3, required: true, maxlength: bounds.reason.max })}
      <fieldset>
        <legend>Offered for</legend>
        {fault !== undefined && <p class="fault">{fault}</p>}
        {decisions.map((decision) =>
          checkField({
            name: `for-${decision}`,
            label: decision.replaceAll('-', ' '),
            checked: form.decisions.includes(decision),
          }),
        )}
      </fieldset>
      {textField({ ...field('order', 'Place in the list', 'From 0.'), inputmode: 'numeric', maxlength: 6 })}
      <p>
        <button class="main">Save the reason</button>
      </p>
    </form>
  );
}
