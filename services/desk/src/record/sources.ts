import { type ClientReadableStream, status } from '@grpc/grpc-js';
import { Site, type Transition, WatchFilter } from '@knowledge/proto/knowledge/common/v1/common';
import { ChangeSubject } from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService, type WatchEditorialResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import {
  ModerationServiceService,
  type WatchContributionsResponse,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { GrantAdminServiceService, type WatchGrantsResponse } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { QuotaAdminServiceService, type WatchSubjectsResponse } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { type CallOptions, type Deadline, fromServiceError, type GrpcClient } from '@knowledge/runtime/client';
import { logSubjects } from '@knowledge/runtime/product';
import { UsageError } from '../base/desk-error.js';
import { atRevision } from '../base/ids.js';
import { perService } from '../base/services.js';
import type { Session } from '../base/session.js';
import { presentTransition } from '../base/transition.js';
import { enumWords, sites } from '../base/words.js';

/** The services whose logs `watch` can follow, in the order of the combined cursor. */
const watchedServiceNames = Object.keys(logSubjects) as WatchedService[];

type WatchedService = keyof typeof logSubjects;

/** One event of a log, without its cursor. */
export type EventView = ReturnType<typeof presentEvent>;

/** A log that `watch` can follow. */
export interface LogSource {
  readonly service: WatchedService;
  /** Resolves when the service responds. */
  ready(deadline: Deadline): Promise<void>;
  open(afterCursor: string): ClientReadableStream<{ cursor: string }>;
  present(response: { cursor: string }): EventView;
}

/** Makes the logs that can contain matching events. The signal ends their streams. */
export function openSources(
  session: Pick<Session, 'connect' | 'callContext'>,
  options: WatchOptions,
  signal: AbortSignal,
): readonly LogSource[] {
  const filter = toWatchFilter(options);
  const wanted = watchedServices(options);
  const call = () => ({ ...session.callContext(), signal });
  const editorial = session.connect('content', EditorialServiceService);
  const moderation = session.connect('contributions', ModerationServiceService);
  const grants = session.connect('identity', GrantAdminServiceService);
  const quota = session.connect('quota', QuotaAdminServiceService);
  const from = (afterCursor: string) => [{ afterCursor, filter }, call()] as const;
  const all = [
    logSource('content', editorial.ready, (cursor) => editorial.watchEditorial(...from(cursor)), editorialEvent),
    logSource(
      'contributions',
      moderation.ready,
      (cursor) => moderation.watchContributions(...from(cursor)),
      contributionEvent,
    ),
    logSource('identity', grants.ready, (cursor) => grants.watchGrants(...from(cursor)), grantEvent),
    logSource('quota', quota.ready, (cursor) => quota.watchSubjects(...from(cursor)), quotaEvent),
  ];
  return all.filter(({ service }) => wanted.includes(service));
}

/** The log of contributions alone, without prompts and people. */
export function contributionEvents(
  moderation: GrpcClient<typeof ModerationServiceService>,
  call: () => CallOptions,
): LogSource {
  const filter = WatchFilter.fromPartial({ subject: 'contribution' });
  const open = (afterCursor: string) => moderation.watchContributions({ afterCursor, filter }, call());
  return logSource('contributions', moderation.ready, open, contributionEvent);
}

function logSource<Response extends { cursor: string }>(
  service: WatchedService,
  ready: LogSource['ready'],
  open: (afterCursor: string) => ClientReadableStream<Response>,
  factsOf: (response: Response) => EventFacts,
): LogSource {
  // This cast is safe, because `present` gets only responses of the stream that `open` returns.
  return { service, ready, open, present: (response) => presentEvent(service, factsOf(response as Response)) };
}

const changeSubjects = enumWords(ChangeSubject);

function editorialEvent({ subject, site, key, transition }: WatchEditorialResponse) {
  const word = changeSubjects.fromWire(subject);
  const isArticle = word === 'article' || word === 'article_draft';
  const name = isArticle ? { slug: key } : { id: word === 'highlights' ? sites.fromWire(site) : key };
  return { subject: word, name, site, transition };
}

function contributionEvent({ subject, id, site, transition, title }: WatchContributionsResponse) {
  const revision = subject === 'contribution' ? (transition?.revision ?? 0) : 0;
  const name = { id, ...(revision > 0 && { id_at_revision: atRevision({ id, revision }) }) };
  return { subject, name, site, transition, title };
}

function grantEvent({ subject, id, transition, agentName }: WatchGrantsResponse) {
  return { subject, name: { id }, transition, title: agentName };
}

function quotaEvent({ subject, id, transition }: WatchSubjectsResponse) {
  return { subject, name: { id }, transition };
}

/** What a log says about an event. An audit entry about a person has no site, nor has a group of synonyms. */
interface EventFacts {
  readonly subject: string;
  readonly name: { readonly slug: string } | { readonly id: string; readonly id_at_revision?: string };
  readonly site?: Site;
  readonly transition: Transition | undefined;
  readonly title?: string;
}

function presentEvent(service: WatchedService, { subject, name, site, transition, title }: EventFacts) {
  const shown = transition && presentTransition(transition);
  const place = site && site !== Site.UNSPECIFIED ? sites.fromWire(site) : null;
  return { service, subject, ...name, site: place, title: title || null, state: shown?.to_state ?? '', ...shown };
}

export interface WatchOptions {
  readonly by?: string | undefined;
  readonly person?: string | undefined;
  readonly subject?: string | undefined;
  readonly id?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly audit?: boolean | undefined;
  /** How many of the last events; undefined for all. */
  readonly last?: number | undefined;
}

export const watchSubjects: readonly string[] = [...new Set(Object.values(logSubjects).flat())];

/** Finds the logs that can contain matching events. */
function watchedServices({ subject, person }: WatchOptions) {
  return watchedServiceNames.filter(
    (service) =>
      (subject === undefined || (logSubjects[service] as readonly string[]).includes(subject)) &&
      (person === undefined || service !== 'content'),
  );
}

function toWatchFilter({ by = '', person = '', subject = '', id = '', ...rest }: WatchOptions): WatchFilter {
  const { since, until, last, audit = false } = rest;
  const short = isShortId(id, subject);
  return { actor: by, person, subject, id: short ? '' : id, idPrefix: short ? id : '', since, until, last, audit };
}

// Whether a word is the beginning of an id. Names that people chose are never shortened, so a word that cannot begin a
// UUID is a slug.
function isShortId(id: string, subject: string) {
  if (id.length < 4 || id.length >= 36 || ['article', 'article_draft', 'synonyms'].includes(subject)) return false;
  return subject === '' ? /^[0-9a-f-]+$/.test(id) : true;
}

/** The cursor of each log. An empty cursor starts the log now. */
export type Cursors = Record<WatchedService, string>;

/** Joins the cursors into one text, for example `content:12,contributions:3`. A shell needs no quotes around it. */
export function joinCursors(cursors: Readonly<Cursors>): string {
  return watchedServiceNames
    .filter((name) => cursors[name] !== '')
    .map((name) => `${name}:${encodeURIComponent(cursors[name])}`)
    .join(',');
}

/**
 * Splits a joined cursor. `0` starts every log at its beginning; undefined starts every log now.
 *
 * @throws UsageError for a cursor that `watch` never prints.
 */
export function splitCursors(joined: string | undefined): Cursors {
  const all = (cursor: string): Cursors => perService(() => cursor);
  if (joined === '0') return all('0');
  const cursors = all('');
  if (joined === undefined) return cursors;
  for (const part of joined.split(',')) {
    const match = /^([a-z]+):([\w.~!*'()%-]{1,200})$/.exec(part);
    const name = watchedServiceNames.find((each) => each === match?.[1]);
    if (match?.[2] === undefined || name === undefined || cursors[name] !== '') throw unknownCursor();
    try {
      cursors[name] = decodeURIComponent(match[2]);
    } catch {
      throw unknownCursor();
    }
  }
  return cursors;
}

function unknownCursor() {
  return new UsageError('--after takes a cursor that this command printed, or 0 for everything since the beginning.');
}

/** Past events of several logs. */
export interface PastEvents {
  /** The newest events, newest first. */
  readonly events: readonly EventView[];
  /** The logs that the staff member may not read. */
  readonly refused: readonly WatchedService[];
}

/** Reads the newest events of logs whose filter ends in the past. Each log sends no more than `last` of them. */
export async function readPast(sources: readonly LogSource[], last: number): Promise<PastEvents> {
  const refused: WatchedService[] = [];
  const logs = await Promise.all(
    sources.map(async (source) => {
      try {
        const events: EventView[] = [];
        for await (const response of source.open('') as AsyncIterable<{ cursor: string }>) {
          events.push(source.present(response));
        }
        return events;
      } catch (error) {
        if ((error as { code?: unknown }).code !== status.PERMISSION_DENIED) throw fromServiceError(error);
        refused.push(source.service);
        return [];
      }
    }),
  );
  const events = logs.flat().sort((a, b) => millisecondsOf(b) - millisecondsOf(a));
  return { events: events.slice(0, last), refused: refused.sort() };
}

export function millisecondsOf({ occurred_at }: EventView): number {
  return Date.parse(occurred_at ?? '') || 0;
}
