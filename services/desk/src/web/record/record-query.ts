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
  /** Whether looks at personal data are left out. */
  readonly withoutLooks: boolean;
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
    withoutLooks: formField(query, 'looks', 3) === 'no',
  };
}

/**
 * The filter of the logs. Its end is never in the future, so that every stream ends.
 *
 * @throws KnowledgeError `validation_error` that names the field.
 */
export function toWatchOptions(query: RecordQuery, now: Date): WatchOptions & { since: Date; until: Date } {
  const { from, to, by, subject, id, withoutLooks } = query;
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
  return { ...words, since, until, audit: !withoutLooks };
}

/** The query string that gives the same filter. */
export function recordSearch({ from, to, by, subject, id, withoutLooks }: RecordQuery): string {
  const words = Object.entries({ from, to, by, subject, id, looks: withoutLooks ? 'no' : '' });
  return new URLSearchParams(words.filter(([, value]) => value !== '')).toString();
}
