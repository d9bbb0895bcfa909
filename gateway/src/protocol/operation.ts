import type { ErrorCode } from '@knowledge/runtime';
import type { TObject, TSchema } from 'typebox';

/** Who may call (specification section 4, column "Auth"). */
export type Auth = 'none' | 'optional_bearer' | 'bearer';

/** One operation of the HTTP protocol: validation, OpenAPI, capabilities and documents all come from it. */
export interface Operation {
  /** The operation's name in OpenAPI, and in the documents where it has no endpoint of its own. */
  readonly id: string;
  /** The key in the capabilities document (specification section 2.4, or additive). */
  readonly endpoint: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path with parameters as `{slug}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly auth: Auth;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly headers?: TObject;
  readonly body?: TObject;
  /** The answers that carry `ok: true`, by status. */
  readonly answers: Readonly<Record<number, TSchema>>;
  /** The headers that a success carries besides those of every answer, with what they mean. */
  readonly answerHeaders?: Readonly<Record<string, string>>;
  /** The errors that this operation has beside those of every operation. */
  readonly errors: readonly ErrorCode[];
}

/** The errors that any path may answer with (protocol.md section 2). */
export const commonErrors: readonly ErrorCode[] = [
  'bad_request',
  'request_timeout',
  'uri_too_long',
  'headers_too_large',
  'internal_error',
];

/** The path as Fastify and find-my-way write it. */
export function routePath(operation: Pick<Operation, 'path'>): string {
  return operation.path.replace(/\{(\w+)\}/g, ':$1');
}
