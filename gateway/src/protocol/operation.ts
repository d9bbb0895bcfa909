import { type ErrorCode, errorCodes } from '@knowledge/runtime';
import type { TObject, TSchema } from 'typebox';

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
  /** The errors of this operation, apart from the common ones and those that `auth` and `body` imply. */
  readonly errors: readonly ErrorCode[];
  /** Headers of a failure, apart from those that every failure with this status has. */
  readonly errorHeaders?: Readonly<Partial<Record<ErrorCode, Readonly<Record<string, string>>>>>;
  /** The scopes of this operation: a call needs one of them, or can request them. */
  readonly scopes?: readonly string[];
  /** Extra members of its endpoint in the capabilities document. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** The errors that every path can have (gateway/PROTOCOL.md#errors). */
export const commonErrors: readonly ErrorCode[] = [
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

const bodyErrors: readonly ErrorCode[] = [
  'invalid_body',
  'validation_error',
  'unsupported_media_type',
  'payload_too_large',
];

/** Whether the response can be asked for with `If-None-Match`. */
export function isConditional({ method, responseHeaders }: Operation): boolean {
  return method === 'GET' && responseHeaders?.['ETag'] !== undefined;
}

/** Converts the path to the notation of Fastify and find-my-way, with parameters such as `:slug`. */
export function routePath(operation: Pick<Operation, 'path'>): string {
  return operation.path.replace(/\{(\w+)\}/g, ':$1');
}
