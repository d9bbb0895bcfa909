import { type Html, minuteElement } from '@knowledge/runtime/html';
import { watchSubjects } from '../../watch/filter.js';
import type { PastEvents } from '../../watch/read-past.js';
import type { EventView } from '../../watch/sources.js';
import type { Shown } from '../layout/send-page.js';
import { nameOf } from './record-file.js';
import { type RecordQuery, recordSearch } from './record-query.js';

/** Who did what, when and why, in all services. */
export function recordPage(query: RecordQuery, past: PastEvents): Shown {
  const { events, total, cut, refused } = past;
  const search = recordSearch(query);
  const main = (
    <>
      <h1>Record</h1>
      <p class="soft">
        Every change, with who made it and why, and every look at personal data. Times are UTC; without times the page
        shows the last 24 hours.
      </p>
      {filterForm(query)}
      {refused.length > 0 && <p class="notice">Your role does not see the log of {refused.join(' and ')}.</p>}
      {cut && (
        <p class="notice">
          There is more than can be read at once, so the newest entries are missing. Choose less time.
        </p>
      )}
      <p>
        {countOf(events.length, total)}{' '}
        {total > 0 && (
          <>
            Save them: <a href={`/record/file?${search}&format=csv`}>CSV</a>{' '}
            <a href={`/record/file?${search}&format=jsonl`}>JSON lines</a>
          </>
        )}
      </p>
      {events.length > 0 && table(events)}
    </>
  );
  return { title: 'Record', main };
}

function countOf(shown: number, total: number): string {
  if (total === 0) return 'Nothing happened.';
  const entries = total === 1 ? 'entry' : 'entries';
  return `${shown === total ? '' : `${shown} of `}${total} ${entries}, newest first.`;
}

function filterForm({ from, to, by, subject, id, withoutLooks }: RecordQuery): Html {
  return (
    <section class="filter" aria-label="Filter">
      <form method="get" action="/record">
        {textField('from', 'From', from, '2026-06-01 09:00')}
        {textField('to', 'To', to, 'now')}
        {textField('by', 'Who', by)}
        <p class="field">
          <label for="subject">What</label>
          <select id="subject" name="subject">
            <option value="">everything</option>
            {watchSubjects.map((word) => (
              <option value={word} selected={word === subject}>
                {word.replace('_', ' ')}
              </option>
            ))}
          </select>
        </p>
        {textField('id', 'Id or slug', id)}
        <p class="field">
          <label>
            <input type="checkbox" name="looks" value="no" checked={withoutLooks} /> without looks at personal data
          </label>
        </p>
        <p class="field">
          <button>Show</button>
        </p>
      </form>
    </section>
  );
}

function textField(name: string, label: string, value: string, placeholder?: string): Html {
  return (
    <p class="field">
      <label for={name}>{label}</label>
      <input id={name} name={name} value={value} maxlength="200" placeholder={placeholder} />
    </p>
  );
}

function table(events: readonly EventView[]): Html {
  return (
    <section class="scroll" tabindex="0" aria-label="Entries">
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">What</th>
            <th scope="col">Change</th>
            <th scope="col">Who</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>{events.map(row)}</tbody>
      </table>
    </section>
  );
}

function row(event: EventView): Html {
  const { occurred_at, subject, site, title, revision, from_state, state, actor, reason } = event;
  // An entry with revision 0 is a look, which changed no state.
  const change = revision === 0 ? state : `${from_state || 'new'} → ${state}`;
  return (
    <tr>
      <td>{occurred_at ? minuteElement(new Date(occurred_at)) : ''}</td>
      <td>
        {subject.replace('_', ' ')} <bdi>{title ?? nameOf(event)}</bdi>
        <span class="small">
          {title !== null && nameOf(event)} {site ?? ''}
        </span>
      </td>
      <td>{change}</td>
      <td>
        <bdi>{actor}</bdi>
      </td>
      <td>
        <bdi>{reason}</bdi>
      </td>
    </tr>
  );
}
