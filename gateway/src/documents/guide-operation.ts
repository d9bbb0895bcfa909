import { errorCatalogue } from '@knowledge/runtime';
import { exampleOf } from '../protocol/examples.js';
import type { Operation } from '../protocol/operation.js';
import { curlCommand, readableJson } from './call-text.js';
import { codeBlock, markdownTable } from './markdown.js';
import { accessWords, fieldLines, inRequest, ownErrors, parameterLines } from './operation-fields.js';
import type { SiteProfile } from './site-profile.js';

/** The section of the guide about one operation: its description, parameters, a call, a response and its errors. */
export function operationSection(operation: Operation, service: SiteProfile): string[] {
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

function parameterRows(operation: Operation): string[][] {
  const named = (_: unknown, name: string): string => name;
  const body = fieldLines(operation.body ?? {}, inRequest, named).map((line) => ({ ...line, where: 'body' }));
  return [...parameterLines(operation, named), ...body].map(({ name, where, facts, meaning = '' }) => [
    `\`${name}\``,
    where,
    facts.join(', '),
    meaning,
  ]);
}

function errorWords(operation: Operation): string {
  const named = ownErrors(operation).map((error) => `\`${error}\` (${errorCatalogue[error].http})`);
  return named.length === 0 ? '' : `${named.join(', ')}, and `;
}
