/** The gRPC status and the HTTP status of one machine code. */
interface ErrorDefinition {
  /** The gRPC status number, https://grpc.io/docs/guides/status-codes/. */
  readonly grpc: number;
  /** The HTTP status that the gateway answers with. */
  readonly http: number;
  /** Whether the same request, sent again without changes, can succeed later. */
  readonly retryable: boolean;
  /** Says in one sentence when the error occurs. Callers and generated documents see it. */
  readonly description: string;
}

/**
 * Every machine code of the service. The first ten are original, the others were added later
 * (gateway/PROTOCOL.md#errors). A code is never renamed and never changes its HTTP status.
 */
export const errorCatalogue = {
  not_found: define(5, 404, false, 'The slug is unknown or the resource is missing.'),
  read_quota_exceeded: define(8, 429, true, 'The daily content read limit is reached.'),
  missing_token: define(16, 401, false, 'The call needs a Bearer token and none was sent.'),
  invalid_token: define(16, 401, false, 'The token is expired, revoked or unknown.'),
  validation_error: define(3, 400, false, 'A field or a parameter breaks its bounds.'),
  invalid_body: define(3, 400, false, 'The body is missing, or not well-formed JSON.'),
  site_restriction: define(7, 403, false, 'A contribution was submitted on a site that does not accept its type.'),
  missing_code: define(3, 400, false, 'The confirmation link has no code.'),
  invalid_or_expired_code: define(3, 400, false, 'The code is unknown or has ended.'),
  no_active_prompt: define(9, 400, false, 'There is no active community prompt to reply to.'),

  insufficient_scope: define(7, 403, false, 'The token is valid, but its scopes lack the one that the type needs.'),
  writes_blocked: define(7, 403, false, 'The operator has stopped all texts in the name of this human.'),
  authorization_denied: define(7, 403, false, 'The human declined the request.'),
  rate_limited: define(8, 429, true, 'A write, authorize or polling limit was reached.'),
  idempotency_conflict: define(6, 409, false, 'The idempotency key came again with another payload.'),
  invalid_state: define(9, 409, false, 'The state of the resource does not allow the action.'),
  precondition_failed: define(10, 412, false, 'The resource does not have an ETag that If-Match names.'),
  method_not_allowed: define(12, 405, false, 'The path exists, but not with this method.'),
  misdirected_request: define(3, 421, false, 'Two sites have two hosts, and the request names another.'),
  payload_too_large: define(3, 413, false, 'The body is over 128 KiB.'),
  bad_request: define(3, 400, false, 'The HTTP message cannot be parsed or decoded.'),
  request_timeout: define(4, 408, true, 'The request did not arrive completely in time.'),
  uri_too_long: define(3, 414, false, 'The request target is over 8 KiB.'),
  headers_too_large: define(3, 431, false, 'The header block is over 16 KiB, or has over 1,000 headers.'),
  unsupported_media_type: define(3, 415, false, 'The body is not application/json, or it is compressed.'),
  unavailable: define(14, 503, true, 'A service or its database does not answer.'),
  internal_error: define(13, 500, false, 'A defect; the message carries the request id and nothing else.'),
} as const satisfies Record<string, ErrorDefinition>;

/** A machine code of the catalogue. */
export type ErrorCode = keyof typeof errorCatalogue;

/** All codes in the order of the catalogue. */
export const errorCodes = Object.freeze(Object.keys(errorCatalogue)) as readonly ErrorCode[];

/** Whether a string that came from another program is a machine code of the catalogue. */
export function isErrorCode(value: string): value is ErrorCode {
  return Object.hasOwn(errorCatalogue, value);
}

function define(grpc: number, http: number, retryable: boolean, description: string): ErrorDefinition {
  return { grpc, http, retryable, description };
}
