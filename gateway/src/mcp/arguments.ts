import { KnowledgeError } from '@knowledge/runtime';
import { type TObject, type TSchema, Type } from 'typebox';
import { didYouMean } from '../api/unknown-names.js';
import { shownName } from '../http/body-parsing.js';
import { limits } from '../protocol/limits.js';
import type { Tool } from '../protocol/mcp-tools.js';
import { keywordsOf } from '../protocol/operation.js';
import { boundedText } from '../protocol/schemas.js';

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
  /** The arguments that the tool does not have. */
  readonly ignored: readonly string[];
}

/**
 * Makes an HTTP request from the arguments that a model sent; the API validates it later. Throws validation_error only
 * for arguments that fit in no request: missing in the path, not a text, or nested too deeply, and for slips in a call
 * that changes something or is counted.
 */
export function requestParts(tool: Tool, sent: Readonly<Record<string, unknown>>): RequestParts {
  const known = argumentsOf(tool);
  const named = withAliases(sent, known);
  const ignored = Object.keys(named).filter((argument) => !Object.hasOwn(known, argument));
  if (!tool.annotations.readOnlyHint || isCounted(tool)) refuseSlips(tool, ignored, Object.keys(known));
  const own = Object.entries(named).filter(([argument]) => Object.hasOwn(known, argument));
  const present = own.flatMap(([argument, value]) => presentValue(value, known[argument] as Argument, argument));
  const given = withAddress(Object.fromEntries(present), known);
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
  return { ...parts, ignored, body: tool.operation.body === undefined ? undefined : Object.fromEntries(body) };
}

const tokenSchema = Type.String({
  description: 'The token of pick_up_token, instead of the Authorization header of this connection. Secret.',
});
const clientIdSchema = boundedText(
  limits.clientId,
  'Your own stable name, instead of the header X-Agent-Client-Id of this connection; anonymous reads are counted by it.',
);

/** The arguments that stand for a header, by its name. */
export const argumentNames: Readonly<Record<string, string>> = {
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

function textOf(argument: string, value: unknown) {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw invalid(argument, 'must be one text or number');
}

// Node decodes header bytes as Latin-1, so this encodes the text as UTF-8 and decodes those bytes as Latin-1.
function headerOf(name: string, text: string) {
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

// Other services call these arguments so, and models take them from there.
const aliases: Readonly<Record<string, string>> = { query: 'q', id: 'slug' };

function withAliases(sent: Readonly<Record<string, unknown>>, known: Readonly<Record<string, Argument>>) {
  const isAlias = (name: string) => {
    const real = aliases[name];
    return real !== undefined && Object.hasOwn(known, real) && !Object.hasOwn(known, name) && sent[real] === undefined;
  };
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [isAlias(name) ? (aliases[name] as string) : name, value]),
  );
}

/** The argument as the API takes it; nothing if it is a spelling of absence. */
function presentValue(value: unknown, { schema, required, name }: Argument, argument: string): [string, unknown][] {
  if (!required && (value === null || (typeof value === 'string' && /^(?:null|none|undefined)?$/i.test(value))))
    return [];
  // A search may be on all sites; a text has one, which is found.
  if (name === 'site' && value === 'all' && !keywordsOf(schema).enum?.includes('all')) return [];
  return [[argument, isListAsText(schema, value) ? parsed(value) : value]];
}

function isListAsText(schema: TSchema, value: unknown): value is string {
  return keywordsOf(schema).items !== undefined && typeof value === 'string' && value.trim().startsWith('[');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The largest number of unknown arguments that a message names. */
const maxNamed = 10;

/** Says which arguments had no effect; clients add some of their own to every call. Undefined without any. */
export function ignoredWords({ name }: Tool, ignored: readonly string[]): string | undefined {
  if (ignored.length === 0) return undefined;
  const more = ignored.length > maxNamed ? `, and ${ignored.length - maxNamed} more` : '';
  return `Without effect, because ${name} has no such arguments: ${ignored.slice(0, maxNamed).map(shownName).join(', ')}${more}.`;
}

function isCounted({ operation }: Tool) {
  return Object.hasOwn(operation.responseHeaders ?? {}, 'X-RateLimit-Limit');
}

// A write without what its caller meant to say would be another write. A read of the day would be spent.
function refuseSlips({ name: tool }: Tool, unknown: readonly string[], known: readonly string[]) {
  const slips = unknown.slice(0, 100).flatMap((argument) => {
    const meant = didYouMean(argument, known);
    return meant === '' ? [] : [`${shownName(argument)}: is not a known argument here${meant}`];
  });
  if (slips.length === 0) return;
  const all = `Known arguments of ${tool}: ${known.join(', ')}.`;
  throw new KnowledgeError('validation_error', `${slips.slice(0, maxNamed).join('; ')}. ${all}`);
}

function invalid(argument: string, what: string) {
  return new KnowledgeError('validation_error', `${argument}: ${what}.`);
}
