import { timestamp } from '../envelope.js';
import { type Html, html } from './html.js';

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** A day for people, with the time for programs. */
export function day(date: Date): Html {
  return html`<time datetime="${timestamp(date)}" lang="en">${format.format(date)}</time>`;
}
