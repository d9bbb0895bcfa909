/** A time for people anywhere: `21 November 2026 at 06:48 UTC`. */
export function inUtc(time: Date): string {
  return `${format.format(time)} UTC`;
}

const format = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
