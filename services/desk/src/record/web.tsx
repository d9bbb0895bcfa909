import { earlier, hasCode, KnowledgeError } from '@knowledge/runtime';
import { secondElement } from '@knowledge/runtime/html';
import type { LogSubject } from '@knowledge/runtime/product';
import { stringify } from 'csv-stringify/sync';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { whyOf } from '../base/transition.js';
import {
  type Choice,
  callOf,
  changeWords,
  checkField,
  type FormFaults,
  fieldsOf,
  formField,
  hasRole,
  linkLine,
  mayOpen,
  noFaults,
  readFaults,
  type Shown,
  type StaffMember,
  selectField,
  sendFile,
  sendPage,
  siteTitle,
  staffOf,
  strange,
  tableOf,
  textField,
  timeField,
  timeOfField,
  titled,
  type WebDesk,
  words,
} from '../pages/index.js';
import { type EventView, openSources, type PastEvents, readPast, type WatchOptions, watchSubjects } from './sources.js';

const onPage = 50;
/** A file has fewer entries. It is the most that a log gives (`last` in transitions.proto). */
const inFile = 20_000;

/** Registers the record of all actions: what the logs of the services say, with a filter, and as a file. */
export function registerRecord(app: FastifyInstance, { connect }: WebDesk): void {
  const read = async (request: FastifyRequest, reply: FastifyReply, options: WatchOptions, last: number) => {
    // A stream that nobody reads any more must end.
    const ended = new AbortController();
    reply.raw.once('close', () => ended.abort());
    const sources = openSources({ connect, callContext: () => callOf(request) }, { ...options, last }, ended.signal);
    try {
      return await readPast(sources, last);
    } finally {
      ended.abort();
    }
  };

  app.get('/record', async (request, reply) => {
    const query = readRecordQuery(request.query);
    try {
      const options = toWatchOptions(query, new Date());
      const before = query.page * onPage;
      const last = before + onPage + 1;
      const { events, refused } = await read(request, reply, options, last);
      // The end stays, so that what happens meanwhile moves no entry to another page.
      const older = { ...query, to: options.until.toISOString(), page: query.page + 1 };
      const view = {
        query,
        refused,
        events: events.slice(before, before + onPage),
        older: events.length === last ? older : undefined,
      };
      return sendPage(reply, recordPage(view, staffOf(request)));
    } catch (error) {
      if (!hasCode(error, 'validation_error')) throw error;
      return sendPage(
        reply,
        titled('Record', filterForm(query, readFaults(error as KnowledgeError, ['from', 'to', 'subject'])), {
          status: 422,
        }),
      );
    }
  });

  app.get('/record/file', async (request, reply) => {
    const format = formField(request.query, 'format', 10);
    if (!isFormat(format)) throw new KnowledgeError('validation_error', 'The format must be csv or jsonl.');
    const options = toWatchOptions(readRecordQuery(request.query), new Date());
    const { events } = await read(request, reply, options, inFile);
    if (events.length === inFile) {
      throw new KnowledgeError(
        'validation_error',
        `The file would have ${inFile} entries or more: choose a shorter time.`,
      );
    }
    const { type, format: write } = recordFormats[format];
    return sendFile(reply, `record.${format}`, type, write(events));
  });
}

function isFormat(word: string): word is keyof typeof recordFormats {
  return Object.hasOwn(recordFormats, word);
}

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
  const since = timeOfField('from', from) ?? earlier(until, dayMs);
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
interface RecordView extends Pick<PastEvents, 'events' | 'refused'> {
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
      {events.length > 0 &&
        tableOf(
          'Entries',
          events,
          {
            When: ({ occurred_at }) => occurred_at && secondElement(new Date(occurred_at)),
            What: (event) => what(event, pathOfEvent(event, staff)),
            // An entry with revision 0 changed the state of no record: a look, or for example `blocked`.
            Change: ({ revision, from_state, state }) =>
              revision === 0 ? state : changeWords(from_state ?? '', state),
            Who: 'actor',
            Why: (event) => strange(whyOf(event)),
          },
          '',
        )}
      {older && linkLine(`/record?${recordSearch(older)}`, 'Older entries')}
    </>,
  );
}

function filterForm({ from, to, by, subject, id, withLooks }: RecordQuery, faults: FormFaults<string> = noFaults) {
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

function subjectWords(subject: string) {
  return subject === 'ceiling' ? 'limit' : subject === 'address' ? 'IP address' : words(subject);
}

function what(event: EventView, path: string | undefined) {
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

/** The formats in which the record can be saved. */
export const recordFormats = {
  csv: { type: 'text/csv; charset=utf-8', format: toCsv },
  jsonl: { type: 'application/jsonl; charset=utf-8', format: toJsonLines },
} as const;

const columns = ['occurred_at', 'service', 'subject', 'name', 'site', 'title', 'from_state', 'to_state'] as const;

/** A spreadsheet must not take a text of a stranger for a formula, so such texts begin with an apostrophe. */
function toCsv(events: readonly EventView[]) {
  const rows = events.map((event) => ({ ...event, name: nameOf(event) }));
  return stringify(rows, {
    header: true,
    columns: [...columns, 'decision', 'actor', 'reason', 'revision'],
    escape_formulas: true,
    bom: true,
  });
}

function toJsonLines(events: readonly EventView[]) {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

/** The slug of an article, or the id of another thing. */
function nameOf(event: EventView) {
  return 'slug' in event ? event.slug : event.id;
}

/** The path of what an entry is about, if this staff member may open it. */
function pathOfEvent(event: EventView, staff: Pick<StaffMember, 'roles'>) {
  const { service, subject, site } = event;
  const name = encodeURIComponent(nameOf(event));
  if (name === '' || ['deleted', 'erased'].includes(event.state)) return undefined;
  const pages: Readonly<Record<LogSubject, string | false>> = {
    article: `/articles/${site}/${name}`,
    article_draft: `/articles/${site}/${name}/next`,
    highlights: `/articles/highlights/${site}`,
    object: `/articles/objects/${name}`,
    synonyms: `/articles/words?edit=${name}`,
    prompt: `/prompts/${name}`,
    contribution: hasRole(staff, 'moderator') ? `/queue/${name}` : `/people/id/${name}`,
    authorization: `/people/id/${name}`,
    token: `/people/id/${name}`,
    // Others see the limits, and only administrators the page of one.
    ceiling: hasRole(staff) && `/admin/limits/${name}`,
    reason: `/admin/reasons?edit=${name}`,
    session: '/admin',
    // Quota has only a hash of a domain.
    mail_domain: service === 'identity' && `/people/domains?edit=${name}`,
    email: false,
    client_id: false,
    address: false,
    service: false,
    // The log has only a hash of a person, so its entries lead to each other.
    person: `/record?id=${name}&looks=yes`,
  };
  const path = pages[subject as LogSubject];
  return path && mayOpen(path, staff) ? path : undefined;
}
