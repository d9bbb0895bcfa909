import type { WatchFilter } from '@knowledge/proto/knowledge/common/v1/common';
import type { WatchedService } from './cursor.js';

/** What a watch shows, as its options say. */
export interface WatchOptions {
  readonly by?: string;
  readonly person?: string;
  readonly subject?: string;
  readonly id?: string;
  readonly since?: Date;
  readonly until?: Date;
  readonly audit?: boolean;
}

/** What each log tells of. */
const subjectsByService: Readonly<Record<WatchedService, readonly string[]>> = {
  content: ['article', 'highlights', 'object'],
  contributions: ['contribution', 'prompt', 'person'],
  identity: ['authorization', 'token', 'person'],
  quota: ['email', 'client_id', 'address'],
};

/** Every kind of thing that a watch can be narrowed to. */
export const watchSubjects: readonly string[] = [...new Set(Object.values(subjectsByService).flat())];

/** The logs that can have what is asked for. That of quota has only who looked at or reset an allowance. */
export function watchedServices({ subject, person, audit }: WatchOptions): WatchedService[] {
  return (Object.keys(subjectsByService) as WatchedService[]).filter(
    (service) =>
      (subject === undefined || subjectsByService[service].includes(subject)) &&
      (person === undefined || service !== 'content') &&
      (audit === true || service !== 'quota'),
  );
}

/** The filter of the services. */
export function toWatchFilter({ by = '', person = '', subject = '', id = '', ...rest }: WatchOptions): WatchFilter {
  const { since, until, audit = false } = rest;
  const short = isShortId(id, subject);
  return { actor: by, person, subject, id: short ? '' : id, idPrefix: short ? id : '', since, until, audit };
}

// A slug is whole; a word that no UUID begins with can only be a slug, unless something else is asked for.
function isShortId(id: string, subject: string): boolean {
  if (id.length < 4 || id.length >= 36 || subject === 'article') return false;
  return subject === '' ? /^[0-9a-f-]+$/.test(id) : true;
}
