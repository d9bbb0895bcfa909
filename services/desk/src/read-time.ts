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
