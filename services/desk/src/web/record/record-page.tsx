import { KnowledgeError } from '@knowledge/runtime';
import { type Html, secondElement } from '@knowledge/runtime/html';
import type { FastifyRequest } from 'fastify';
import { entryWords } from '../../present/contribution-words.js';
import { type EventView, type PastEvents, type WatchOptions, watchSubjects } from '../../watch/sources.js';
import {
  type Choice,
  changeWords,
  checkField,
  columnsOf,
  type FormFaults,
  fieldsOf,
  formField,
  noFaults,
  type Shown,
  type StaffMember,
  selectField,
  siteTitle,
  strange,
  tableOf,
  textField,
  timeField,
  timeOfField,
  titled,
  words,
} from '../page-parts.js';
import { nameOf, pathOfEvent } from './events.js';

/** The filter of the record as the form sends it. Addresses are no filter here, since an address must not be in a URL. */
type RecordQuery = ReturnType<typeof readRecordQuery>;

const dayMs = 24 * 60 * 60 * 1000;
const longestMs = 366 * dayMs;

/** Reads the filter. Without times it is the last 24 hours. */
export function readRecordQuery(query: FastifyRequest['query']) {
  return {
    from: formField(query, 'from').trim(),
    to: formField(query, 'to').trim(),
    by: formField(query, 'by').trim(),
    subject: formField(query, 'subject', 40),
    id: formField(query, 'id').trim(),
    /** Whether looks at personal data are shown too. */
    withLooks: formField(query, 'looks', 3) === 'yes',
    /** The page; 0 has the newest entries. */
    page: Number(/^\d{1,3}$/.exec(formField(query, 'page'))?.[0] ?? 0),
  };
}

/**
 * The filter of the logs. Its end is never in the future, so that every stream ends.
 *
 * @throws KnowledgeError `validation_error` that names the field.
 */
export function toWatchOptions(query: RecordQuery, now: Date): WatchOptions & { since: Date; until: Date } {
  const { from, to, by, subject, id, withLooks } = query;
  const end = timeOfField('to', to) ?? now;
  const until = end > now ? now : end;
  const since = timeOfField('from', from) ?? new Date(until.getTime() - dayMs);
  if (since >= until) throw new KnowledgeError('validation_error', 'from must be before To, and not in the future.');
  if (until.getTime() - since.getTime() > longestMs) {
    throw new KnowledgeError('validation_error', 'from must be at most one year before To.');
  }
  if (subject !== '' && !watchSubjects.includes(subject)) {
    throw new KnowledgeError('validation_error', `subject must be one of ${watchSubjects.join(', ')}.`);
  }
  const words = { ...(by !== '' && { by }), ...(subject !== '' && { subject }), ...(id !== '' && { id }) };
  return { ...words, since, until, audit: withLooks };
}

/** The query string that gives the same filter, or the same page with `page`. */
export function recordSearch({ from, to, by, subject, id, withLooks, page }: RecordQuery): string {
  const shown = { looks: withLooks ? 'yes' : '', page: page === 0 ? '' : String(page) };
  const words = Object.entries({ from, to, by, subject, id, ...shown });
  return new URLSearchParams(words.filter(([, value]) => value !== '')).toString();
}

/** What a page of the record shows. */
export interface RecordView extends Pick<PastEvents, 'events' | 'refused'> {
  readonly query: RecordQuery;
  /** The page with older entries, if there are any. */
  readonly older: RecordQuery | undefined;
}

/** Who did what, when and why, in all services. */
export function recordPage({ query, events, refused, older }: RecordView, staff: Pick<StaffMember, 'roles'>): Shown {
  const file = recordSearch({ ...query, page: 0 });
  return titled(
    'Record',
    <>
      <p class="soft">
        Every change, with who made it and why; on request also every look at personal data. Times are UTC; without
        times the page shows the last 24 hours.
      </p>
      {filterForm(query)}
      {refused.length > 0 && <p class="notice">Your role does not see the logs of {refused.join(', ')}.</p>}
      <p>
        {events.length === 0 ? 'Nothing happened.' : 'Newest first.'} Save all as{' '}
        <a href={`/record/file?${file}&format=csv`}>CSV</a> or{' '}
        <a href={`/record/file?${file}&format=jsonl`}>JSON lines</a>.
      </p>
      {events.length > 0 && tableOf('Entries', events, columnsFor(staff), '')}
      {older && (
        <p>
          <a href={`/record?${recordSearch(older)}`}>Older entries</a>
        </p>
      )}
    </>,
  );
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

function filterForm(
  { from, to, by, subject, id, withLooks }: RecordQuery,
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
      {checkField({ name: 'looks', label: 'Looks at personal data too', checked: withLooks })}
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

function columnsFor(staff: Pick<StaffMember, 'roles'>) {
  return columnsOf<EventView>({
    When: ({ occurred_at }) => occurred_at && secondElement(new Date(occurred_at)),
    What: (event) => what(event, pathOfEvent(event, staff)),
    Change: change,
    Who: ({ actor }) => strange(actor),
    Why: ({ from_state, state, reason }) => strange(entryWords(from_state ?? '', state, reason ?? '').reason),
  });
}

function what(event: EventView, path: string | undefined): Html {
  const { subject, site, title } = event;
  const shown = <bdi>{title ?? nameOf(event)}</bdi>;
  return (
    <>
      {subjectWords(subject)} {path === undefined ? shown : <a href={path}>{shown}</a>}
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
