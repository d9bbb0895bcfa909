/** Formats one JSON log line for people: time, level, process, message, then the rest as key=value. */
export function prettyLine(line: string): string {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return line;
  }
  const { time, level, name, message, err, ...rest } = entry;
  const facts = Object.entries(rest).map(([key, value]) => `${key}=${shown(value)}`);
  const head = `${String(time).slice(11, 23)} ${String(level).toUpperCase().padEnd(5)} ${String(name)}`;
  const stack = err === undefined ? '' : `\n${stackOf(err)}`;
  return `${[head, message, ...facts].filter((part) => part !== undefined).join('  ')}${stack}\n`;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function stackOf(err: unknown): string {
  if (typeof err !== 'object' || err === null) return `    ${String(err)}`;
  const { stack, message, cause } = err as { stack?: string; message?: string; cause?: unknown };
  const own = (stack ?? message ?? '').replace(/^/gm, '    ');
  return cause === undefined ? own : `${own}\n    caused by\n${stackOf(cause)}`;
}
