import { hash } from 'node:crypto';
import { formatUtcDay, formatUtcEnd, formatUtcTime, timestamp } from '../time-words.js';
import type { Html } from './html.js';

/** A date for people, with the exact time for programs. */
export function dayElement(date: Date): Html {
  return timeElement(date, formatUtcDay(date));
}

/** The date on which something ends: `22 May 2027 (UTC)`. */
export function endElement(date: Date): Html {
  return timeElement(date, formatUtcEnd(date));
}

/** A time in UTC, and how long ago it was: `21 November 2026 at 06:48 UTC (12 minutes ago)`. */
export function minuteElement(date: Date, now = Date.now()): Html {
  const passed = ago(now - date.getTime());
  return (
    <>
      {timeElement(date, formatUtcTime(date))}
      {passed && ` (${passed})`}
    </>
  );
}

/** A time in UTC for lists in which the order of seconds counts: `2026-11-21 06:48:05`. */
export function secondElement(date: Date): Html {
  return timeElement(date, date.toISOString().slice(0, 19).replace('T', ' '));
}

/** When something works again, in UTC: `14:00 UTC (in 24 minutes)`. */
export function retryTimeElement(seconds: number, now = Date.now()): Html {
  // People see the page a little later, so a few seconds are ignored before rounding up to a minute.
  const date = new Date(Math.ceil((now + (seconds - 10) * 1000) / 60_000) * 60_000);
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  const wait = minutes < 120 ? counted(minutes, 'minute') : `about ${Math.round(minutes / 60)} hours`;
  return (
    <>
      {timeElement(date, `${date.toISOString().slice(11, 16)} UTC`)} (in {wait})
    </>
  );
}

function timeElement(date: Date, words: string) {
  return (
    <time datetime={timestamp(date)} lang="en">
      {words}
    </time>
  );
}

// A date in the future, or older than a week, needs no such words.
function ago(ms: number) {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 0 || minutes >= 7 * 24 * 60) return undefined;
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${counted(minutes, 'minute')} ago`;
  if (minutes < 24 * 60) return `${counted(Math.floor(minutes / 60), 'hour')} ago`;
  return `${counted(Math.floor(minutes / (24 * 60)), 'day')} ago`;
}

function counted(count: number, unit: string) {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** The language as a BCP 47 tag; undefined if it is not well-formed. */
export function languageTag(language: string | undefined): string | undefined {
  return language !== undefined && /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/.test(language) ? language : undefined;
}

/** The English name of a language, such as `German`; undefined if it has none. */
export function languageName(language: string): string | undefined {
  const tag = languageTag(language);
  if (tag === undefined) return undefined;
  try {
    return names.of(tag);
  } catch {
    // Some tags are well-formed for HTML but unknown to Intl.
    return undefined;
  }
}

/** Words such as `in German` for a text in another language; undefined for English. */
export function inLanguage(language: string): string | undefined {
  const tag = languageTag(language);
  if (tag === undefined || /^en(?:-|$)/i.test(tag)) return undefined;
  const name = languageName(language);
  return name && `in ${name}`;
}

/** What every head begins with: encoding, width, and the colours of light and dark. */
export const pageMeta: Html = (
  <>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="theme-color" content="#fcfbf8" media="(prefers-color-scheme: light)" />
    <meta name="theme-color" content="#171714" media="(prefers-color-scheme: dark)" />
  </>
);

/** A static file with a hash of its content in its path, so that browsers may keep it for ever. */
export function hashedAsset(name: string, extension: string, type: string, text: string) {
  const body = Buffer.from(text);
  const digest = hash('sha256', body, 'hex').slice(0, 12);
  return { path: `/assets/${name}-${digest}.${extension}`, type, body };
}

/** The mark of the service, as SVG. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f5c47"/><path d="M8 9h16M8 16h16M8 23h9" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>`;
