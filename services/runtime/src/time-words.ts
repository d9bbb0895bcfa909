/** Formats a time, for example as `21 November 2026 at 06:48 UTC`. */
export function formatUtcTime(time: Date): string {
  return `${format.format(time)} UTC`;
}

/** Formats a time for programs: RFC 3339 in UTC, without `.000`. */
export function timestamp(time: Date): string {
  return time.toISOString().replace('.000Z', 'Z');
}

/** Formats the UTC date of a time, for example as `21 November 2026`. */
export function formatUtcDay(time: Date): string {
  return dayFormat.format(time);
}

/** Formats the UTC date on which something ends, for example as `22 May 2027 (UTC)`. */
export function formatUtcEnd(time: Date): string {
  return `${formatUtcDay(time)} (UTC)`;
}

/** Names a number of minutes, for example as `one minute` or `30 minutes`. */
export function minutesInWords(count: number): string {
  return count === 1 ? 'one minute' : `${count} minutes`;
}

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

const format = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
