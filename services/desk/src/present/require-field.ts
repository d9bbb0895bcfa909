/** Returns a field that the service must always set. Throws if the field is missing. */
export function requireField<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('The service left out a part of its answer; is it of another version?');
  return value;
}
