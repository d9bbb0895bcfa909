import { type ErrorCode, errorCodes } from '@knowledge/runtime';
import type { TObject, TSchema } from 'typebox';
import type { Example } from './example.js';

type Auth = 'none' | 'optional_bearer' | 'bearer';

/** An operation of the HTTP API. Validation, OpenAPI, capabilities and documents are all generated from it. */
export interface Operation {
  /** The `operationId` in OpenAPI. */
  readonly id: string;
  /** The key in the capabilities document (gateway/PROTOCOL.md#capabilities); none if only humans call it. */
  readonly endpoint?: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path, with parameters such as `{slug}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly auth: Auth;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly headers?: TObject;
  /** The schema of the JSON body: an object, or a choice of objects by the value of one field. */
  readonly body?: TSchema;
  /** Media types that the body may have besides JSON. */
  readonly otherBodyMediaTypes?: readonly string[];
  /** The schemas of successful responses, by status. */
  readonly responses: Readonly<Record<number, TSchema>>;
  /** The meaning of each header of a successful response, apart from the headers of every response. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** Media types other than JSON, which the response has if `Accept` prefers them. */
  readonly otherMediaTypes?: readonly string[];
  /** Whether a browser gets failures as pages too. */
  readonly failsAsPage?: true;
  /** The errors of this operation, apart from the common ones and those that `auth` and `body` imply. */
  readonly errors: readonly ErrorCode[];
  /** Headers of a failure, apart from those that every failure with this status has. */
  readonly errorHeaders?: Readonly<Partial<Record<ErrorCode, Readonly<Record<string, string>>>>>;
  /** The scopes of this operation: a call needs one of them, or can request them. */
  readonly scopes?: readonly string[];
  /** Extra members of its endpoint in the capabilities document. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** A call with its responses, of the sample content that `npm start` imports. */
  readonly example?: Partial<Example>;
}

/** The errors that every path can have (gateway/PROTOCOL.md#errors). */
export const commonErrors: readonly ErrorCode[] = [
  'validation_error',
  'misdirected_request',
  'bad_request',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'unavailable',
  'internal_error',
];

/** Lists every error that an operation can have, in the order of the error catalogue. */
export function errorsOf({ auth, body, errors }: Operation): readonly ErrorCode[] {
  const possible = new Set<ErrorCode>([...commonErrors, ...errors]);
  if (auth !== 'none') possible.add('missing_token').add('invalid_token');
  if (body !== undefined) {
    for (const code of bodyErrors) possible.add(code);
  }
  return errorCodes.filter((code) => possible.has(code));
}

const bodyErrors: readonly ErrorCode[] = ['invalid_body', 'unsupported_media_type', 'payload_too_large'];

/** Whether the response can be asked for with `If-None-Match`. */
export function isConditional({ method, responseHeaders }: Operation): boolean {
  return method === 'GET' && responseHeaders?.['ETag'] !== undefined;
}

/** Converts the path to the notation of Fastify and find-my-way, with parameters such as `:slug`. */
export function routePath(operation: Pick<Operation, 'path'>): string {
  return operation.path.replace(/\{(\w+)\}/g, ':$1');
}

/** The headers of a response that clients may cache (gateway/PROTOCOL.md#caching). */
export const cacheHeaders = {
  ETag: 'A validator of the response, weak for a part of an article and strong for all else; send it back in If-None-Match for a 304.',
  'Cache-Control': 'How long a response may be cached.',
} as const;

/** The headers of public responses, which are also sent compressed (gateway/PROTOCOL.md#compression). */
const compressedHeaders = {
  ...cacheHeaders,
  Vary: 'Accept-Encoding. Where it takes br or gzip, Content-Encoding says which is sent; each form has its own ETag.',
} as const;

/** What public reads have in common whose response depends on their URL alone. */
export const publicRead = {
  method: 'GET',
  auth: 'none',
  responseHeaders: compressedHeaders,
  errors: [],
} as const;

/** The headers of every counted read, also of a refused one (gateway/PROTOCOL.md#what-counts). */
export const quotaHeaders = {
  'X-RateLimit-Limit': 'Reads per UTC day, an integer.',
  'X-RateLimit-Remaining': 'Reads left, an integer.',
  'X-RateLimit-Reset': 'The next UTC midnight, Unix seconds.',
} as const;

/** The headers of the response to a contribution: accepted, replayed, or refused because of the daily limit. */
export const writeLimitHeaders = {
  'X-RateLimit-Limit': 'Contributions per UTC day for this mailbox, an integer.',
  'X-RateLimit-Remaining': 'Contributions left today, an integer.',
  'X-RateLimit-Reset': 'The next UTC midnight, Unix seconds.',
} as const;

/** The keywords of a JSON schema that the documents show. */
export interface Keywords {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: string | boolean;
  readonly default?: unknown;
  readonly description?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly patternProperties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly maxItems?: number;
  readonly additionalProperties?: boolean;
  readonly anyOf?: readonly TSchema[];
  readonly oneOf?: readonly TSchema[];
  readonly discriminator?: { readonly propertyName: string };
}

export function keywordsOf(schema: TSchema): Keywords {
  return schema as Keywords;
}

/** Returns the JSON type of a schema. If it has no `type` keyword, this is the type of its values. */
export function typeOf(schema: TSchema): string {
  const { type, enum: values, const: value } = keywordsOf(schema);
  const example = value ?? values?.[0];
  return type ?? (example === undefined ? 'any' : typeof example);
}
