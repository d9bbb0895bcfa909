/** Gives a message field that the service must always set. */
export function requireField<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError('The service left out a part of its answer; is it of another version?');
  return value;
}
