import { UsageError } from '../desk-error.js';

/** The services whose logs `watch` can follow, in the order of the combined cursor. */
const watchedServiceNames = ['content', 'contributions', 'identity', 'quota'] as const;

export type WatchedService = (typeof watchedServiceNames)[number];

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
  const cursors: Cursors = { content: '', contributions: '', identity: '', quota: '' };
  if (joined === undefined) return cursors;
  if (joined === '0') return { content: '0', contributions: '0', identity: '0', quota: '0' };
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

function unknownCursor(): UsageError {
  return new UsageError('--after takes a cursor that this command printed, or 0 for everything since the beginning.');
}
