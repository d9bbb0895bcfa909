import type { Html } from '@knowledge/runtime/html';
import { watchSubjects } from '../../watch/filter.js';
import type { PastEvents } from '../../watch/read-past.js';
import type { EventView } from '../../watch/sources.js';
import { type Choice, checkField, selectField, textField, timeField } from '../forms/fields.js';
import { type FormFaults, fieldsOf, noFaults } from '../forms/form-values.js';
import type { Shown } from '../layout/send-page.js';
import { type Column, tableOf } from '../layout/tables.js';
import { changeWords, siteTitle, strange, timeOf, words } from '../layout/values.js';
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
      {events.length > 0 && tableOf('Entries', events, columns, '')}
    </>
  );
  return { title: 'Record', main };
}

/** The form again, with what was wrong with a time or a choice. */
export function refusedPage(query: RecordQuery, faults: FormFaults<string>): Shown {
  const main = (
    <>
      <h1>Record</h1>
      {filterForm(query, faults)}
    </>
  );
  return { title: 'Record', main, status: 422 };
}

function countOf(shown: number, total: number): string {
  if (total === 0) return 'Nothing happened.';
  const entries = total === 1 ? 'entry' : 'entries';
  return `${shown === total ? '' : `${shown} of `}${total} ${entries}, newest first.`;
}

function filterForm(
  { from, to, by, subject, id, withoutLooks }: RecordQuery,
  faults: FormFaults<string> = noFaults,
): Html {
  const field = fieldsOf({ from, to, subject }, faults);
  return (
    <form class="filters" method="get" action="/record" aria-label="Filter">
      {timeField(field('from', 'From'))}
      {timeField(field('to', 'To'))}
      {textField({ name: 'by', label: 'Who', value: by, maxlength: 200 })}
      {selectField({ ...field('subject', 'What'), choices: subjects })}
      {textField({ name: 'id', label: 'Id, or name in the URL', value: id, maxlength: 200 })}
      {checkField({ name: 'looks', value: 'no', label: 'without looks at personal data', checked: withoutLooks })}
      <button>Show</button>
    </form>
  );
}

const subjects: readonly Choice[] = [
  ['', 'everything'],
  ...watchSubjects.map((word) => [word, subjectWords(word)] as const),
];

function subjectWords(subject: string): string {
  return subject === 'ceiling' ? 'limit' : subject === 'address' ? 'IP address' : words(subject);
}

const columns: readonly Column<EventView>[] = [
  { header: 'When', cell: ({ occurred_at }) => timeOf(occurred_at) },
  { header: 'What', cell: what },
  { header: 'Change', cell: change },
  { header: 'Who', cell: ({ actor }) => strange(actor) },
  { header: 'Why', cell: ({ reason }) => strange(reason) },
];

function what(event: EventView): Html {
  const { subject, site, title } = event;
  return (
    <>
      {subjectWords(subject)} <bdi>{title ?? nameOf(event)}</bdi>
      <span class="small">
        {title !== null && nameOf(event)} {site === null ? '' : siteTitle(site)}
      </span>
    </>
  );
}

// An entry with revision 0 changed the state of no record: a look, or for example `blocked`.
function change({ revision, from_state, state }: EventView): string {
  return revision === 0 ? state : changeWords(from_state ?? '', state);
}
