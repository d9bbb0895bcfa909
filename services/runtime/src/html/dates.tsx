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

function timeElement(date: Date, words: string): Html {
  return (
    <time datetime={timestamp(date)} lang="en">
      {words}
    </time>
  );
}

// A date in the future, or older than a week, needs no such words.
function ago(ms: number): string | undefined {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 0 || minutes >= 7 * 24 * 60) return undefined;
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${counted(minutes, 'minute')} ago`;
  if (minutes < 24 * 60) return `${counted(Math.floor(minutes / 60), 'hour')} ago`;
  return `${counted(Math.floor(minutes / (24 * 60)), 'day')} ago`;
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
