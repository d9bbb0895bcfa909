import { type ErrorCode, errorCodes } from '@knowledge/runtime';
import type { TObject, TSchema } from 'typebox';

/** Whether a caller needs a token. */
type Auth = 'none' | 'optional_bearer' | 'bearer';

/** One operation of the HTTP protocol. Validation, OpenAPI, capabilities and documents are all made from it. */
export interface Operation {
  /** The operation's name in OpenAPI. */
  readonly id: string;
  /**
   * The key in the capabilities document (gateway/PROTOCOL.md#capabilities). Absent for operations of the human, which
   * agents do not call.
   */
  readonly endpoint?: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path with parameters as `{slug}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly auth: Auth;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly headers?: TObject;
  /** The JSON body: an object, or a choice between objects by the value of one field. */
  readonly body?: TSchema;
  /** The media types of the body besides JSON. */
  readonly otherBodyMediaTypes?: readonly string[];
  /** The schemas of successful responses, by status. */
  readonly responses: Readonly<Record<number, TSchema>>;
  /** The meaning of each header of a success, besides the headers of every response. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** The media types of responses besides JSON, sent where `Accept` prefers them. */
  readonly otherMediaTypes?: readonly string[];
  /** The errors of this operation, besides the common ones and those that its `auth` and `body` imply. */
  readonly errors: readonly ErrorCode[];
  /** The headers of a failure, besides those of every failure with its status. */
  readonly errorHeaders?: Readonly<Partial<Record<ErrorCode, Readonly<Record<string, string>>>>>;
  /** The scopes of which a call needs one, or that it can request. */
  readonly scopes?: readonly string[];
  /** Members of its endpoint in the capabilities document, besides those of every endpoint. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** The errors of any path (gateway/PROTOCOL.md#errors). */
export const commonErrors: readonly ErrorCode[] = [
  'bad_request',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'unavailable',
  'internal_error',
];

/** Every error that an operation can have, in the order of the catalogue. */
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

/** The path as Fastify and find-my-way write it. */
export function routePath(operation: Pick<Operation, 'path'>): string {
  return operation.path.replace(/\{(\w+)\}/g, ':$1');
}
