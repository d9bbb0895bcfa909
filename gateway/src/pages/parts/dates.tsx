import { formatUtcTime } from '@knowledge/runtime';
import { timestamp } from '../../http/envelope.js';
import type { Html } from './html.js';

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** A date for people, with the exact time for programs. */
export function dayElement(date: Date): Html {
  return (
    <time datetime={timestamp(date)} lang="en">
      {format.format(date)}
    </time>
  );
}

/** A time in UTC, and how long ago it was: `21 November 2026 at 06:48 UTC (12 minutes ago)`. */
export function minuteElement(date: Date, now = Date.now()): Html {
  const passed = ago(now - date.getTime());
  return (
    <>
      <time datetime={timestamp(date)} lang="en">
        {formatUtcTime(date)}
      </time>
      {passed && ` (${passed})`}
    </>
  );
}

/** When something works again, in UTC: `14:00 UTC (in 24 minutes)`. */
export function retryTimeElement(seconds: number, now = Date.now()): Html {
  // The page is shown a little later, so a few seconds are ignored before rounding up to a minute.
  const date = new Date(Math.ceil((now + (seconds - 10) * 1000) / 60_000) * 60_000);
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  const wait =
    minutes < 120 ? `${minutes} minute${minutes === 1 ? '' : 's'}` : `about ${Math.round(minutes / 60)} hours`;
  return (
    <>
      <time datetime={timestamp(date)} lang="en">
        {clock.format(date)} UTC
      </time>{' '}
      (in {wait})
    </>
  );
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

// For the future, and after a week, the date alone is enough.
function ago(ms: number): string | undefined {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 0 || minutes >= 7 * 24 * 60) return undefined;
  if (minutes < 1) return 'just now';
  if (minutes < 60) return counted(minutes, 'minute');
  if (minutes < 24 * 60) return counted(Math.floor(minutes / 60), 'hour');
  return counted(Math.floor(minutes / (24 * 60)), 'day');
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}
