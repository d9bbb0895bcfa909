/** The length of a window: a UTC calendar day or a UTC hour. */
export type WindowLength = 'hour' | 'day';

/** Returns the current time in milliseconds since 1970. */
export type Now = () => number;

const lengthMs: Readonly<Record<WindowLength, number>> = { hour: 3_600_000, day: 86_400_000 };

/** The start of the window that contains `now`. The calculation ignores leap seconds, as POSIX time does. */
export function windowStart(length: WindowLength, now: number): number {
  return now - (now % lengthMs[length]);
}

/** The start of the next window. */
export function windowEnd(length: WindowLength, start: number): number {
  return start + lengthMs[length];
}
