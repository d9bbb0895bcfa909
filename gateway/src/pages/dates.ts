import { inUtc } from '@knowledge/runtime';
import { timestamp } from '../envelope.js';
import { type Html, html } from './html.js';

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** A day for people, with the time for programs. */
export function day(date: Date): Html {
  return html`<time datetime="${timestamp(date)}" lang="en">${format.format(date)}</time>`;
}

/** A time for people anywhere, as mails say it: `21 November 2026 at 06:48 UTC`. */
export function minute(date: Date): Html {
  return html`<time datetime="${timestamp(date)}" lang="en">${inUtc(date)}</time>`;
}
