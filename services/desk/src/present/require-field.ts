/** Returns a field that the service must always set. Throws if the field is missing. */
export function requireField<T>(value: T | undefined): T {
  if (value === undefined)
    throw new TypeError(
      'A part is missing in the response of the service. Perhaps the service and the desk have different versions.',
    );
  return value;
}
