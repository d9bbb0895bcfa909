import type { Html } from '@knowledge/runtime/html';
import { bounds } from '@knowledge/runtime/product';
import { decisions, type ReasonView } from '../../present/reason.js';
import { csrfField } from '../layout/layout.js';
import type { Shown } from '../layout/send-page.js';

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
      {reasons.length === 0 ? <p>There are none yet.</p> : table(reasons, csrf)}
      <h2>{form.id === '' ? 'Another reason' : 'Change a reason'}</h2>
      {fault !== undefined && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      {reasonForm(form, csrf)}
    </>
  );
  return { title: 'Canned reasons', main, status: fault === undefined ? 200 : 400 };
}

function table(reasons: readonly ReasonView[], csrf: string): Html {
  return (
    <section class="scroll" tabindex="0" aria-label="Reasons">
      <table>
        <thead>
          <tr>
            <th scope="col">Reason</th>
            <th scope="col">For</th>
            <th scope="col">Place</th>
            <th scope="col">Delete</th>
          </tr>
        </thead>
        <tbody>
          {reasons.map(({ id, words, decisions: named, order }) => (
            <tr>
              <td>
                <a href={`/admin/reasons?edit=${encodeURIComponent(id)}#reason-form`}>{id}</a>
                <span class="small">
                  <bdi>{words}</bdi>
                </span>
              </td>
              <td>{named.join(', ')}</td>
              <td>{order}</td>
              <td>
                <form class="inline" method="post" action={`/admin/reasons/${encodeURIComponent(id)}/delete`}>
                  {csrfField(csrf)}
                  <button aria-label={`Delete the reason ${id}`}>Delete</button>
                </form>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function reasonForm({ id, words, decisions: chosen, order }: ReasonView, csrf: string): Html {
  return (
    <form class="edit" id="reason-form" method="post" action="/admin/reasons">
      {csrfField(csrf)}
      <div>
        <label for="id">Name</label>
        <input id="id" name="id" value={id} required maxlength="80" autocomplete="off" aria-describedby="id-hint" />
        <p class="hint" id="id-hint">
          a-z, 0-9 and hyphens. A name that exists already gets the new words.
        </p>
      </div>
      <div>
        <label for="words">Words</label>
        <textarea id="words" name="words" rows={3} required maxlength={bounds.reason.max}>
          {words}
        </textarea>
      </div>
      <fieldset>
        <legend>Offered for</legend>
        {decisions.map((decision) => (
          <label>
            <input type="checkbox" name={`for-${decision}`} value="yes" checked={chosen.includes(decision)} />{' '}
            {decision.replaceAll('-', ' ')}{' '}
          </label>
        ))}
      </fieldset>
      <div>
        <label for="order">Place in the list, from 0</label>
        <input id="order" name="order" value={String(order)} inputmode="numeric" maxlength="6" />
      </div>
      <p>
        <button class="main">Save the reason</button>
      </p>
    </form>
  );
}
