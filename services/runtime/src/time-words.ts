/** A time for people anywhere: `21 November 2026 at 06:48 UTC`. */
export function inUtc(time: Date): string {
  return `${format.format(time)} UTC`;
}

/** A day for people anywhere: `21 November 2026`, as it is in UTC. */
export function dayInUtc(time: Date): string {
  return dayFormat.format(time);
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
