/**
 * Lists the differences between an example and a real response. It ignores ids, times, codes and cursors. If an example
 * text ends with `…`, only the beginning is compared; of a list that is `cut`, only the first entries.
 */
export function differences(example: unknown, real: unknown, cut = false, at = '$'): string[] {
  if (Array.isArray(example) && Array.isArray(real)) {
    const same = cut ? example.length <= real.length : example.length === real.length;
    const inside = example.flatMap((each, index) => differences(each, real[index], cut, `${at}[${index}]`));
    return same ? inside : [`${at} has ${real.length} entries, its example ${example.length}`, ...inside];
  }
  if (isObject(example) && isObject(real)) {
    const names = [...new Set([...Object.keys(example), ...Object.keys(real)])];
    return names.flatMap((name) => {
      if (!(name in real)) return [`${at}.${name} is in the example alone`];
      if (!(name in example)) return [`${at}.${name} is not in the example`];
      return differences(example[name], real[name], cut, `${at}.${name}`);
    });
  }
  if (typeof example === 'string' && typeof real === 'string') {
    const [shown, found] = [lasting(example), lasting(real)];
    const alike = shown.endsWith('…') ? found.startsWith(shown.slice(0, -1).trimEnd()) : shown === found;
    return alike ? [] : [`${at} is ${JSON.stringify(found)}, its example ${JSON.stringify(shown)}`];
  }
  return Object.is(example, real) ? [] : [`${at} is ${JSON.stringify(real)}, its example ${JSON.stringify(example)}`];
}

/** Replaces the parts of a text that are different in each run. */
export function lasting(text: string): string {
  return text
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '<id>')
    .replace(/<id>\.[\w-]{43}/g, '<secret>')
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, '<time>')
    .replace(/^[A-Z]{4}-[A-Z]{4}$/, '<user code>')
    .replace(/(?<=^|cursor=)Wz[\w-]{20,}/, '<cursor>')
    .replace(/request [0-9a-f-]{36}/, 'request <id>')
    .replace(/Wait \d+ s, then/, 'Wait <n> s, then');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
