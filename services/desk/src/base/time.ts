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
export function age(time: string | null): string {
  if (time === null) return '-';
  const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(time)) / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

/** Parses a time as people write it; undefined if the text is not a time. A time without a zone is UTC. */
export function readTime(value: string): Date | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?\s*([Zz]|[+-]\d{2}:?\d{2})?)?$/.exec(
    value.trim(),
  );
  if (match === null) return undefined;
  const [, day = '', minute = '00:00', second = ':00', zone = 'Z'] = match;
  const time = new Date(`${day}T${minute}${second}${zone.toUpperCase()}`);
  // `Date` alone would accept 30 February and make it 2 March.
  if (Number.isNaN(time.getTime()) || !new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)) return undefined;
  return time;
}
