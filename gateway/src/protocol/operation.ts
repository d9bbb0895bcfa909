import { type ErrorCode, errorCodes } from '@knowledge/runtime';
import type { TObject, TSchema } from 'typebox';

/** Who may call. */
type Auth = 'none' | 'optional_bearer' | 'bearer';

/** One operation of the HTTP protocol: validation, OpenAPI, capabilities and documents all come from it. */
export interface Operation {
  /** The operation's name in OpenAPI. */
  readonly id: string;
  /**
   * The key in the capabilities document (gateway/PROTOCOL.md#capabilities, or additive); absent for what a human
   * opens.
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
  /** The answers that carry `ok: true`, by status. */
  readonly responses: Readonly<Record<number, TSchema>>;
  /** The headers that a success carries besides those of every answer, with what they mean. */
  readonly responseHeaders?: Readonly<Record<string, string>>;
  /** The media types that it answers with besides JSON, where `Accept` prefers them. */
  readonly otherMediaTypes?: readonly string[];
  /** The errors that this operation has beside those of every operation and those that its `auth` and `body` bring. */
  readonly errors: readonly ErrorCode[];
  /** The headers of a failure besides those that its status brings. */
  readonly errorHeaders?: Readonly<Partial<Record<ErrorCode, Readonly<Record<string, string>>>>>;
  /** The scopes of which a call needs one, or that it can ask for. */
  readonly scopes?: readonly string[];
  /** Members of its endpoint in the capabilities document besides those of every endpoint. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** The errors that any path may answer with (gateway/PROTOCOL.md#errors). */
export const commonErrors: readonly ErrorCode[] = [
  'bad_request',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'unavailable',
  'internal_error',
];

/** Every error that an operation can answer with, in the order of the catalogue. */
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
