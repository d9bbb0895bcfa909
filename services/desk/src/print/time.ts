import { timestamp as timestampOf } from '@knowledge/runtime';

/** Formats a time for programs; null without one. */
export function timestamp(date: Date | undefined): string | null {
  return date === undefined ? null : timestampOf(date);
}

/** Formats a timestamp for people: in UTC, without seconds. */
export function readableTime(time: string | null): string {
  return time === null ? '-' : `${time.slice(0, 10)} ${time.slice(11, 16)}`;
}

/** Formats the age of a time, for example `4 min`, `3 h` or `12 d`. */
export function age(time: string | null, now = Date.now()): string {
  if (time === null) return '-';
  const minutes = Math.max(0, Math.floor((now - Date.parse(time)) / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}
