import { errorCatalogue } from '@knowledge/runtime';
import { exampleOf, type Json } from '../protocol/examples.js';
import { commonErrors, errorsOf, type Operation } from '../protocol/operation.js';
import { type Field, fieldsOf, headersOf } from './fields.js';
import { code, table } from './markdown.js';
import type { Service } from './service.js';

/** What the guide says about one operation: what it does, what it takes, a call, an answer, its errors. */
export function operationSection(operation: Operation, service: Service): string[] {
  const { method, path, summary, description } = operation;
  const { answers, bodies, parameters } = exampleOf(operation, service);
  const taken = parameterRows(operation);
  const [answer] = Object.entries(answers);
  const [body] = Object.values(bodies);
  return [
    `#### \`${method}\` ${path}`,
    `**${summary}.** ${description}`,
    ...(taken.length === 0 ? [] : [table(['Parameter', 'In', 'Type', 'Meaning'], taken)]),
    ...(operation.endpoint === undefined ? [] : [code('sh', curl(operation, service.base, parameters, body))]),
    ...(answer === undefined ? [] : [code('json', readable(answer[1]))]),
    `Errors: ${ownErrors(operation)}[those of every call](#errors).`,
  ];
}

// Lists of words stay on one line.
function readable(value: Json): string {
  return JSON.stringify(value, null, 2).replace(
    /\[\s+("[^[\]{}]*")\s+\]/g,
    (_, words: string) => `[${words.replace(/,\s+/g, ', ')}]`,
  );
}

function ownErrors(operation: Operation): string {
  const own = errorsOf(operation).filter((error) => !commonErrors.includes(error));
  const named = own.map((error) => `\`${error}\` (${errorCatalogue[error].http})`);
  return named.length === 0 ? '' : `${named.join(', ')}, and `;
}

function parameterRows(operation: Operation): string[][] {
  const rows = (where: string, fields: Record<string, Field>): string[][] =>
    Object.entries(fields).map(([name, field]) => [`\`${name}\``, where, typeWords(field), meaning(field)]);
  return [
    ...rows('path', operation.params === undefined ? {} : fieldsOf(operation.params)),
    ...rows('query', operation.query === undefined ? {} : fieldsOf(operation.query)),
    ...rows('header', headersOf(operation)),
    ...rows('body', isObject(operation) ? fieldsOf(operation.body) : {}),
  ];
}

function isObject(operation: Operation): operation is Operation & { body: Parameters<typeof fieldsOf>[0] } {
  return operation.body !== undefined && 'properties' in operation.body;
}

function typeWords({ type, required, values, minimum, maximum, min_length, max_length }: Field): string {
  const range = (min: number | undefined, max: number | undefined): string =>
    min === undefined && max === undefined ? '' : min === undefined ? ` ≤ ${max}` : ` ${min}–${max}`;
  const bounds = range(minimum ?? min_length, maximum ?? max_length);
  const kind = values === undefined ? `${type}${bounds}` : values.map((value) => `\`${value}\``).join(', ');
  return required ? `${kind}, required` : kind;
}

function meaning({ description = '', default: preset }: Field): string {
  return typeof preset === 'string' || typeof preset === 'number' ? `${description} Default: ${preset}.` : description;
}

// A call that can be pasted; secrets stay placeholders.
function curl(
  { method, path, params, query, headers, auth }: Operation,
  base: string,
  parameters: Readonly<Record<string, Json>>,
  body: Json | undefined,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name])));
  const asked = new URLSearchParams(
    Object.keys(query?.properties ?? {}).flatMap((name) =>
      parameters[name] === undefined ? [] : [[name, String(parameters[name])] as [string, string]],
    ),
  );
  const sent = Object.keys(headers?.properties ?? {}).flatMap((name) =>
    parameters[name] === undefined ? [] : [`-H '${name}: ${String(parameters[name])}'`],
  );
  const parts = [
    method === 'GET' ? 'curl -s' : `curl -s -X ${method}`,
    ...sent,
    ...(auth === 'bearer' ? ["-H 'Authorization: Bearer <write_token>'"] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body)}'`]),
    `'${base}${filled}${asked.size > 0 ? `?${asked}` : ''}'`,
  ];
  return parts.join(params === undefined && body === undefined ? ' ' : ' \\\n  ');
}
