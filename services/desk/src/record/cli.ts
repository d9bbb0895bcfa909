import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { createConcurrencyLimit, deadlineIn } from '@knowledge/runtime/client';
import { shortened } from '@knowledge/runtime/shortened';
import { UsageError } from '../base/desk-error.js';
import { shortId } from '../base/ids.js';
import { callsOf, connectTimeoutMs, type Session } from '../base/session.js';
import { terminalSafeLine } from '../base/text.js';
import { transitionWords, whyOf } from '../base/transition.js';
import { sites } from '../base/words.js';
import { command } from '../terminal/command-table.js';
import { parseTime } from '../terminal/options.js';
import { type EventMerge, type Follower, follow, mergeByTime, waitForAllStarted } from './follow.js';
import {
  type Cursors,
  type EventView,
  joinCursors,
  openSources,
  splitCursors,
  type WatchOptions,
  watchSubjects,
} from './sources.js';

/** The command `knowledge watch`, which prints every transition of all services. Analysts use it. */
export const watch = command({
  takes: {
    '--after <cursor>': 'the cursor of the last event seen, or 0 for everything (default: from now on)',
    '--since <time>': { about: 'only events at this time or later (RFC 3339, or a date)', parse: parseTime },
    '--until <time>': {
      about: 'only events before this time; if it is in the future, the watch runs until then',
      parse: parseTime,
    },
    '--by <actor>': 'only events by this actor, for example desk:ada',
    '--person <address>': 'only events about the person with this e-mail',
    '--subject <kind>': { about: 'only this kind of thing', choices: watchSubjects },
    '--id <id>': 'only the thing with this id or this beginning of an id; for an article, its slug',
    '--audit': "also who only looked: at a person's data or at an allowance, and who exported such data",
  },
  async run(session, { after, ...options }) {
    const { interrupted } = session.host;
    const ended = new AbortController();
    try {
      await watchLogs(session, splitCursors(after), options, AbortSignal.any([interrupted, ended.signal]));
    } catch (error) {
      if (!interrupted.aborted) throw error;
    } finally {
      ended.abort();
    }
  },
  examples: [
    'watch',
    'watch --json --after content:12,contributions:3,identity:9',
    'watch --since 2026-11-01 --until 2026-11-08 --by desk:ada',
    'watch --json --after 0',
  ],
});

async function watchLogs(session: Session, cursors: Cursors, options: WatchOptions, signal: AbortSignal) {
  const tell = (text: string): void => void session.host.stderr.write(`${text}\n`);
  const sources = openSources(session, options, signal);
  if (sources.length === 0) throw new UsageError('No event of this kind belongs to a person.');
  await Promise.all(sources.map((source) => source.ready(deadlineIn(connectTimeoutMs))));
  const followers = sources.map((source) => follow(source, cursors[source.service], options.until, signal, tell));
  // A printed cursor contains the position of every log, so this waits until all streams have started.
  const beginnings = await waitForAllStarted(followers, connectTimeoutMs, signal);
  followers.forEach(({ source }, at) => {
    cursors[source.service] ||= beginnings[at] ?? '';
  });
  tell(`watching from ${joinCursors(cursors)}`);
  const titleOf = titleReader(session);
  const line = lineOf(session.host.stdout.isTTY === true);
  const queue = new TaskQueue();
  const merge = mergeByTime(
    sources.map(({ service }) => service),
    ({ event, cursor, title = null }) => {
      cursors[event.service] = cursor;
      const after = joinCursors(cursors);
      queue.add(async () => session.print.event({ cursor: after, ...event, title: await title }, line));
    },
  );
  const show = async (event: EventView, cursor: string) => {
    await merge.push(event.service, { event, cursor, title: titleOf(event) });
    await queue.room();
  };
  await Promise.all(followers.map((follower) => runInto(merge, follower, show)));
  await queue.empty();
}

/** A log that is silent for this time, in milliseconds, has sent all its past events. */
const quietMs = 400;

/** Passes the events of one log to the merge. The merge waits for this log until its past events are sent. */
async function runInto(
  merge: EventMerge,
  { source, run }: Follower,
  show: (event: EventView, cursor: string) => Promise<void>,
) {
  const { service } = source;
  const caughtUp = () => merge.caughtUp(service);
  let timer = setTimeout(caughtUp, quietMs);
  try {
    await run(async (event, cursor) => {
      clearTimeout(timer);
      await show(event, cursor);
      timer = setTimeout(caughtUp, quietMs);
    });
  } finally {
    clearTimeout(timer);
    caughtUp();
  }
}

/** Makes the function that formats an event as a line. On a terminal it shortens ids, which every command accepts. */
function lineOf(terminal: boolean): (event: EventView) => string {
  return (event) => {
    const when = (event.occurred_at ?? '').slice(0, 19).replace('T', ' ');
    const id = 'slug' in event ? event.slug : (event.id_at_revision ?? event.id);
    const name = terminal && !('slug' in event) ? shortId(id) : id;
    const title = event.title === null ? '' : ` "${shortened(event.title, 60)}"`;
    const place = event.site === null || name === event.site ? '' : ` on ${event.site}`;
    const what = name === '' ? manyOf(event.subject) : `${event.subject} ${name}${title}${place}`;
    // An event with revision 0 changed the state of no record.
    const change = event.revision === 0 ? event.state : transitionWords(event.from_state ?? '', event.state);
    const why = whyOf(event);
    return terminalSafeLine(`${when}  ${what}: ${change}  by ${event.actor}${why && `  "${why}"`}`);
  };
}

// An audit entry about a list has no id, so the line names its kind in the plural.
function manyOf(subject: string) {
  return subject === 'person' ? 'people' : `${subject}s`;
}

const editorial = callsOf('content', EditorialServiceService);
const content = callsOf('content', ContentServiceService);

const maxCached = 1000;

/**
 * Makes a reader of titles, because events of content have only slugs and ids. It returns the title of an article or
 * object now, or else the one in the event. It caches titles and limits parallel calls.
 */
function titleReader(session: Session): (event: EventView) => Promise<string | null> {
  const lookUps = createConcurrencyLimit(8);
  const cache = new Map<string, { readAt: number; title: Promise<string | null> }>();
  return (event) => {
    const lookUp = event.title === null && event.service === 'content' ? lookUpOf(session, event) : undefined;
    if (lookUp === undefined) return Promise.resolve(event.title);
    const key = `${event.subject} ${event.site} ${'slug' in event ? event.slug : event.id}`;
    const cached = cache.get(key);
    // If the event happened after the title was read, the title may have changed.
    if (cached !== undefined && Date.parse(event.occurred_at ?? '') < cached.readAt) return cached.title;
    const title = lookUps.run(session.host.interrupted, lookUp).catch(() => null);
    cache.delete(key);
    cache.set(key, { readAt: Date.now(), title });
    const [oldest] = cache.keys();
    if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
    return title;
  };
}

/** How to read an event's title; undefined if the record has no title. */
function lookUpOf(session: Session, event: EventView) {
  if ('slug' in event) {
    const name = { site: sites.toWire(event.site ?? undefined), slug: event.slug };
    return async () => (await editorial(session).getArticleRecord(name)).article?.entry?.title ?? null;
  }
  if (event.subject !== 'object') return undefined;
  return async () => (await content(session).getObject({ id: event.id })).object?.entry?.title ?? null;
}

const maxPending = 200;

/** Runs tasks one after the other, in the order in which they were added. */
class TaskQueue {
  private waiting = 0;
  private last: Promise<void> = Promise.resolve();

  add(work: () => Promise<void>): void {
    this.waiting++;
    this.last = this.last.then(work).finally(() => {
      this.waiting--;
    });
  }

  /** Resolves when the queue can take another task. */
  room(): Promise<void> {
    return this.waiting < maxPending ? Promise.resolve() : this.last;
  }

  /** Resolves when all tasks are done. */
  empty(): Promise<void> {
    return this.last;
  }
}
