import { errorCatalogue } from '@knowledge/runtime';
import type { Json } from '../protocol/example.js';
import { exampleOf, type SiteExample } from '../protocol/example.js';
import type { Operation } from '../protocol/operation.js';
import { accessWords, fieldLines, inRequest, ownErrors, parameterLines, parametersOf } from './fields.js';
import type { SiteProfile } from './site-profile.js';

/** The section of the guide about one operation: its description, parameters, a call, a response and its errors. */
export function operationMarkdown(operation: Operation, service: SiteProfile): string[] {
  const { method, path, summary, description } = operation;
  const example = exampleOf(operation, service);
  const parameters = parameterRows(operation);
  const [response] = Object.values(example.responses);
  const [body] = Object.values(example.bodies);
  return [
    `#### \`${method}\` ${path}`,
    `**${summary}.** ${description}`,
    accessWords(operation),
    ...(parameters.length === 0 ? [] : [markdownTable(['Parameter', 'In', 'Type', 'Meaning'], parameters)]),
    ...(operation.endpoint === undefined ? [] : [codeBlock('sh', curlCommand(operation, example, body))]),
    ...(response === undefined ? [] : [codeBlock('json', readableJson(response))]),
    `Errors: ${errorWords(operation)}[those of every call](#errors).`,
  ];
}

function parameterRows(operation: Operation) {
  const named = (_: unknown, name: string) => name;
  const body = fieldLines(operation.body ?? {}, inRequest, named).map((line) => ({ ...line, where: 'body' }));
  return [...parameterLines(operation, named), ...body].map(({ name, where, facts, meaning = '' }) => [
    `\`${name}\``,
    where,
    facts.join(', '),
    meaning,
  ]);
}

function errorWords(operation: Operation) {
  const named = ownErrors(operation).map((error) => `\`${error}\` (${errorCatalogue[error].http})`);
  return named.length === 0 ? '' : `${named.join(', ')}, and `;
}

/** An example call as a curl command. The shell variable `TOKEN` contains the caller's token. */
export function curlCommand(operation: Operation, { base, parameters }: SiteExample, body: Json | undefined): string {
  const { method, path, auth } = operation;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name])));
  const given = (place: 'query' | 'header') =>
    parametersOf(operation).flatMap(({ where, key }) =>
      where === place && parameters[key] !== undefined ? [[key, String(parameters[key])] as [string, string]] : [],
    );
  const search = new URLSearchParams(given('query'));
  const options = [
    ...(method === 'GET' || (method === 'POST' && body !== undefined) ? [] : [`-X ${method}`]),
    ...given('header').map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
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

function quoted(text: string) {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export function codeBlock(language: 'sh' | 'json' | 'http', text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

export function bulletList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

export function numberedList(items: readonly string[]): string {
  return items.map((item, at) => `${at + 1}. ${item}`).join('\n');
}
