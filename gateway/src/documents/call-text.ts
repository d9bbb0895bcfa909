import type { Json } from '../protocol/example.js';
import type { SiteExample } from '../protocol/examples.js';
import type { Operation } from '../protocol/operation.js';

/** An example call as a curl command. The shell variable `TOKEN` contains the caller's token. */
export function curlCommand(operation: Operation, { base, parameters }: SiteExample, body: Json | undefined): string {
  const { method, path, query, headers, auth } = operation;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name])));
  const given = (names: object | undefined): [string, string][] =>
    Object.keys(names ?? {}).flatMap((name) =>
      parameters[name] === undefined ? [] : [[name, String(parameters[name])] as [string, string]],
    );
  const search = new URLSearchParams(given(query?.properties));
  const options = [
    ...(method === 'GET' || (method === 'POST' && body !== undefined) ? [] : [`-X ${method}`]),
    ...given(headers?.properties).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(auth === 'bearer' ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
  ];
  const url = quoted(`${base}${filled}${search.size > 0 ? `?${search}` : ''}`);
  return ['curl -s', ...options, url].join(options.length === 0 ? ' ' : ' \\\n  ');
}

/** Indented JSON. A list of words stays on one line. */
export function readableJson(value: Json): string {
  return JSON.stringify(value, null, 2).replace(
    /\[\s+("[^[\]{}]*")\s+\]/g,
    (_, words: string) => `[${words.replace(/,\s+/g, ', ')}]`,
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
