import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyRequest } from 'fastify';
import { type WatchOptions, watchSubjects } from '../../watch/filter.js';
import { formField, timeOfField } from '../http/form-field.js';

/** The filter of the record as the form sends it. Addresses are no filter here, since an address must not be in a URL. */
export interface RecordQuery {
  readonly from: string;
  readonly to: string;
  readonly by: string;
  readonly subject: string;
  readonly id: string;
  /** Whether looks at personal data are shown too. */
  readonly withLooks: boolean;
  /** The page; 0 has the newest entries. */
  readonly page: number;
}

const dayMs = 24 * 60 * 60 * 1000;
const longestMs = 366 * dayMs;

/** Reads the filter. Without times it is the last 24 hours. */
export function readRecordQuery(query: FastifyRequest['query']): RecordQuery {
  return {
    from: formField(query, 'from').trim(),
    to: formField(query, 'to').trim(),
    by: formField(query, 'by').trim(),
    subject: formField(query, 'subject', 40),
    id: formField(query, 'id').trim(),
    withLooks: formField(query, 'looks', 3) === 'yes',
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
