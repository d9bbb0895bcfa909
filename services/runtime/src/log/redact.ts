const censor = '[redacted]';

// Names that carry secrets or addresses, in both spellings of the wire.
const redactedNames: ReadonlySet<string> = new Set([
  'access_key',
  'accessKey',
  'authorization',
  'code',
  'device_code',
  'deviceCode',
  'email',
  'key',
  'password',
  'token',
  'user_code',
  'userCode',
]);

// Deeper things have no business in a log line.
const maxDepth = 4;

/**
 * The facts of a log line without what must never be in a log. Returns the object itself when there is nothing to hide,
 * which is the usual case: pino's own `redact` costs five times the line.
 */
export function redact(facts: Record<string, unknown>, depth = 0): Record<string, unknown> {
  let cleaned: Record<string, unknown> | undefined;
  for (const name in facts) {
    const value = facts[name];
    const shown = redactedNames.has(name) && value !== undefined ? censor : redactValue(value, depth);
    if (shown === value) continue;
    cleaned ??= { ...facts };
    cleaned[name] = shown;
  }
  return cleaned ?? facts;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  if (depth >= maxDepth) return '[deep]';
  if (!Array.isArray(value)) return isPlain(value) ? redact(value, depth + 1) : value;
  const items = value.map((item: unknown) => redactValue(item, depth + 1));
  return items.some((item, at) => item !== value[at]) ? items : value;
}

function isPlain(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
