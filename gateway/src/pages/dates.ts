import { timestamp } from '../envelope.js';
import { type Html, html } from './html.js';

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

const formatMinute = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** A day for people, with the time for programs. */
export function day(date: Date): Html {
  return html`<time datetime="${timestamp(date)}" lang="en">${format.format(date)}</time>`;
}

/** A time for people anywhere, as mails say it: `21 November 2026 at 06:48 UTC`. */
export function minute(date: Date): Html {
  return html`<time datetime="${timestamp(date)}" lang="en">${formatMinute.format(date)} UTC</time>`;
}
