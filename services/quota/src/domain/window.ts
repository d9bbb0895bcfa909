/** The length of a window: a UTC calendar day or a UTC hour. */
export type WindowLength = 'hour' | 'day';

/** The clock of a process: milliseconds since the epoch. */
export type Now = () => number;

const lengthMs: Readonly<Record<WindowLength, number>> = { hour: 3_600_000, day: 86_400_000 };

/** The start of the window that contains `now`. There are no leap seconds, as in POSIX. */
export function windowStart(length: WindowLength, now: number): number {
  return now - (now % lengthMs[length]);
}

/** The beginning of the next window. */
export function windowEnd(length: WindowLength, start: number): number {
  return start + lengthMs[length];
}
