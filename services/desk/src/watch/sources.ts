import type { ClientReadableStream } from '@grpc/grpc-js';
import { Site, type Transition, WatchFilter } from '@knowledge/proto/knowledge/common/v1/common';
import { ChangeSubject } from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService, type WatchEditorialResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import {
  ModerationServiceService,
  type WatchContributionsResponse,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { GrantAdminServiceService, type WatchGrantsResponse } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { QuotaAdminServiceService, type WatchSubjectsResponse } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import type { CallOptions, Deadline, GrpcClient } from '@knowledge/runtime/client';
import { atRevision } from '../ids.js';
import { presentTransition } from '../present/transition.js';
import type { Session } from '../session.js';
import { enumWords, sites } from '../words.js';
import type { WatchedService } from './cursor.js';
import { toWatchFilter, type WatchOptions, watchedServices } from './filter.js';

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
  const all = [
    logSource(
      'content',
      editorial.ready,
      (afterCursor) => editorial.watchEditorial({ afterCursor, filter }, call()),
      editorialEvent,
    ),
    logSource(
      'contributions',
      moderation.ready,
      (afterCursor) => moderation.watchContributions({ afterCursor, filter }, call()),
      contributionEvent,
    ),
    logSource(
      'identity',
      grants.ready,
      (afterCursor) => grants.watchGrants({ afterCursor, filter }, call()),
      grantEvent,
    ),
    logSource('quota', quota.ready, (afterCursor) => quota.watchSubjects({ afterCursor, filter }, call()), quotaEvent),
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
  present: (response: Response) => EventView,
): LogSource {
  // This cast is safe, because `present` gets only responses of the stream that `open` returns.
  return { service, ready, open, present: (response) => present(response as Response) };
}

const changeSubjects = enumWords(ChangeSubject);

function editorialEvent({ subject, site, key, transition }: WatchEditorialResponse): EventView {
  const word = changeSubjects.fromWire(subject);
  const isArticle = word === 'article' || word === 'article_draft';
  const name = isArticle ? { slug: key } : { id: word === 'highlights' ? sites.fromWire(site) : key };
  return presentEvent('content', word, name, siteOf(site), transition, '');
}

function contributionEvent({ subject, id, site, transition, title }: WatchContributionsResponse): EventView {
  const revision = subject === 'contribution' ? (transition?.revision ?? 0) : 0;
  const name = { id, ...(revision > 0 && { id_at_revision: atRevision({ id, revision }) }) };
  return presentEvent('contributions', subject, name, siteOf(site), transition, title);
}

function grantEvent({ subject, id, transition, agentName }: WatchGrantsResponse): EventView {
  return presentEvent('identity', subject, { id }, null, transition, agentName);
}

function quotaEvent({ subject, id, transition }: WatchSubjectsResponse): EventView {
  return presentEvent('quota', subject, { id }, null, transition, '');
}

// An audit entry about a person has no site, nor has a group of synonyms.
function siteOf(site: Site): string | null {
  return site === Site.UNSPECIFIED ? null : sites.fromWire(site);
}

function presentEvent(
  service: WatchedService,
  subject: string,
  name: { slug: string } | { id: string; id_at_revision?: string },
  site: string | null,
  transition: Transition | undefined,
  title: string,
) {
  const shown = transition === undefined ? undefined : presentTransition(transition);
  return { service, subject, ...name, site, title: title || null, state: shown?.to_state ?? '', ...shown };
}
