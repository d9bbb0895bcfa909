import { errorCatalogue } from '@knowledge/runtime';
import { exampleOf } from '../protocol/examples.js';
import { commonErrors, errorsOf, type Operation } from '../protocol/operation.js';
import { curl, readable } from './call-text.js';
import { type Field, fieldsOf, headersOf } from './fields.js';
import { code, table } from './markdown.js';
import type { Service } from './service.js';

/** What the guide says about one operation: what it does, what it takes, a call, an answer, its errors. */
export function operationSection(operation: Operation, service: Service): string[] {
  const { method, path, summary, description } = operation;
  const example = exampleOf(operation, service);
  const taken = parameterRows(operation);
  const [answer] = Object.entries(example.answers);
  const [body] = Object.values(example.bodies);
  return [
    `#### \`${method}\` ${path}`,
    `**${summary}.** ${description}`,
    ...(taken.length === 0 ? [] : [table(['Parameter', 'In', 'Type', 'Meaning'], taken)]),
    ...(operation.endpoint === undefined ? [] : [code('sh', curl(operation, example, body))]),
    ...(answer === undefined ? [] : [code('json', readable(answer[1]))]),
    `Errors: ${ownErrors(operation)}[those of every call](#errors).`,
  ];
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
