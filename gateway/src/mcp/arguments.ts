import { KnowledgeError } from '@knowledge/runtime';
import { type TObject, type TSchema, Type } from 'typebox';
import { didYouMean } from '../api/validation/did-you-mean.js';
import { shownName } from '../http/shown-name.js';
import { keywordsOf } from '../protocol/keywords.js';
import { limits } from '../protocol/limits.js';
import type { Tool } from '../protocol/mcp-tools.js';

/** An argument of a tool, and the part of the HTTP request that contains it. */
interface Argument {
  readonly where: 'path' | 'query' | 'header' | 'body';
  /** The name of the parameter, header or field in that part. */
  readonly name: string;
  readonly schema: TSchema;
  readonly required: boolean;
}

/** Returns the arguments of a tool by name: the parameters, headers and body fields of its operation. */
export function argumentsOf({
  operation,
  body = operation.body as TObject | undefined,
}: Tool): Record<string, Argument> {
  const { params, query, headers, auth } = operation;
  const { site: _, ...ownQuery } = query?.properties ?? {};
  const inBody = body?.properties ?? {};
  // The body's `site` overrides that of the query, so the query's is left out. The tool itself sets `type`.
  const inQuery = inBody['site'] === undefined ? (query?.properties ?? {}) : ownQuery;
  const { type: __, ...fields } = inBody;
  // A model sees no headers of responses, so it knows no ETag.
  const { 'if-match': ___, ...ownHeaders } = headers?.properties ?? {};
  const credentials = { ...ownHeaders, ...(auth === 'none' ? {} : { authorization: tokenSchema }) };
  return {
    ...argumentsIn('path', params?.properties ?? {}, params),
    ...argumentsIn('query', inQuery, query),
    ...argumentsIn('body', fields, body),
    ...argumentsIn('header', credentials, headers),
  };
}

export interface RequestParts {
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Makes an HTTP request from the arguments that a model sent; the API validates it later. Throws validation_error only
 * for arguments that fit in no request: unknown, missing in the path, not a text, or nested too deeply.
 */
export function requestParts(tool: Tool, sent: Readonly<Record<string, unknown>>): RequestParts {
  const known = argumentsOf(tool);
  requireKnown(tool, Object.keys(sent), Object.keys(known));
  const given = withAddress(sent, known);
  const parts = {
    path: {} as Record<string, string>,
    query: new URLSearchParams(),
    headers: {} as Record<string, string>,
  };
  const fixed: Record<string, unknown> = tool.body === undefined ? {} : { type: typeField(tool.body) };
  const body = Object.entries(fixed);
  for (const [argument, value] of Object.entries(given)) {
    const { where, name } = known[argument] as Argument;
    // Deep nesting would throw an internal error later, and an unpaired surrogate would arrive as another character.
    if (!isWithin(value, maxDepth)) throw invalid(argument, 'is nested too deeply');
    if (typeof value === 'string' && /\p{Cs}/u.test(value))
      throw invalid(argument, 'must not contain unpaired surrogates');
    if (where === 'body') {
      body.push([name, value]);
    } else if (value !== null && value !== undefined) {
      const text = textOf(argument, value);
      if (where === 'path') parts.path[name] = text;
      else if (where === 'query') parts.query.append(name, text);
      else parts.headers[name] = headerOf(name, text);
    }
  }
  for (const [argument, { where, name }] of Object.entries(known)) {
    if (where === 'path' && (parts.path[name] ?? '') === '') throw invalid(argument, 'is required');
  }
  return { ...parts, body: tool.operation.body === undefined ? undefined : Object.fromEntries(body) };
}

const tokenSchema = Type.String({
  description: 'The token of pick_up_token, instead of the Authorization header of this connection. Secret.',
});
const clientIdSchema = Type.String({
  minLength: limits.clientId.min,
  maxLength: limits.clientId.max,
  description:
    'Your own stable name, instead of the header X-Agent-Client-Id of this connection; anonymous reads are counted by it.',
});

const argumentNames: Readonly<Record<string, string>> = {
  authorization: 'write_token',
  'x-agent-client-id': 'client_id',
  'idempotency-key': 'idempotency_key',
};

function argumentsIn(
  where: Argument['where'],
  properties: Readonly<Record<string, TSchema>>,
  owner: TObject | undefined,
) {
  const required = keywordsOf(owner ?? {}).required ?? [];
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]): [string, Argument] => [
      argumentNames[name] ?? name,
      {
        where,
        name,
        schema: name === 'x-agent-client-id' ? clientIdSchema : schema,
        required: required.includes(name),
      },
    ]),
  );
}

// Bodies of the API are nested at most half as deeply.
const maxDepth = 4;

function isWithin(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((each) => isWithin(each, depth - 1));
}

function typeField(body: TObject): unknown {
  return keywordsOf(body.properties['type'] ?? {}).const;
}

function textOf(argument: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw invalid(argument, 'must be one text or number');
}

// Node decodes header bytes as Latin-1, so this encodes the text as UTF-8 and decodes those bytes as Latin-1.
function headerOf(name: string, text: string): string {
  return Buffer.from(name === 'authorization' ? `Bearer ${text}` : text, 'utf8').toString('latin1');
}

// A model may copy a URL in place of the name of a text. It has the site too, and so has the URL of a continuation.
function withAddress(given: Readonly<Record<string, unknown>>, known: Readonly<Record<string, Argument>>) {
  const name = Object.keys(known).find((each) => known[each]?.where === 'path') ?? '';
  const address = given[name] ?? given['continuation'];
  const [, text, site] = (typeof address === 'string' && textUrl.exec(address)) || [];
  if (text === undefined) return given;
  return { ...(site !== undefined && known['site'] !== undefined && { site }), ...given, [name]: text };
}

const textUrl = /\/(?:content|articles|objects)\/([^/?#]+)(?:[^?]*\?(?:[^#]*&)?site=(io|org))?/;

/** The largest number of unknown arguments that a message names. */
const maxNamed = 10;

function requireKnown({ name: tool }: Tool, given: readonly string[], known: readonly string[]): void {
  const unknown = given.filter((argument) => !known.includes(argument));
  if (unknown.length === 0) return;
  const named = unknown
    .slice(0, maxNamed)
    .map((argument) => `${shownName(argument)}: is not a known argument here${didYouMean(argument, known)}`);
  const more = unknown.length > named.length ? `; and ${unknown.length - named.length} more` : '';
  const all = `Known arguments of ${tool}: ${known.join(', ')}.`;
  throw new KnowledgeError('validation_error', `${named.join('; ')}${more}. ${all}`);
}

function invalid(argument: string, what: string): KnowledgeError {
  return new KnowledgeError('validation_error', `${argument}: ${what}.`);
}
