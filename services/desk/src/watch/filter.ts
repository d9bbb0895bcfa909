import type { WatchFilter } from '@knowledge/proto/knowledge/common/v1/common';
import type { WatchedService } from './cursor.js';

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

/** The kinds of records in each log. */
const subjectsByService: Readonly<Record<WatchedService, readonly string[]>> = {
  content: ['article', 'article_draft', 'highlights', 'object', 'synonyms'],
  contributions: ['contribution', 'prompt', 'person'],
  identity: ['authorization', 'token', 'person', 'session', 'mail_domain'],
  quota: ['email', 'client_id', 'address', 'ceiling'],
};

export const watchSubjects: readonly string[] = [...new Set(Object.values(subjectsByService).flat())];

/** Finds the logs that can contain matching events. */
export function watchedServices({ subject, person }: WatchOptions): WatchedService[] {
  return (Object.keys(subjectsByService) as WatchedService[]).filter(
    (service) =>
      (subject === undefined || subjectsByService[service].includes(subject)) &&
      (person === undefined || service !== 'content'),
  );
}

export function toWatchFilter({ by = '', person = '', subject = '', id = '', ...rest }: WatchOptions): WatchFilter {
  const { since, until, last, audit = false } = rest;
  const short = isShortId(id, subject);
  return { actor: by, person, subject, id: short ? '' : id, idPrefix: short ? id : '', since, until, last, audit };
}

// Whether a word is the beginning of an id. Names that people chose are never shortened, so a word that cannot begin a
// UUID is a slug.
function isShortId(id: string, subject: string): boolean {
  if (id.length < 4 || id.length >= 36 || ['article', 'article_draft', 'synonyms'].includes(subject)) return false;
  return subject === '' ? /^[0-9a-f-]+$/.test(id) : true;
}
