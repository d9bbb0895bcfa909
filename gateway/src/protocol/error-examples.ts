import type { ErrorCode } from '@knowledge/runtime';

/** What a failure says, by code: examples for the documents; the real message names the real field and time. */
export const errorExamples: Readonly<Record<ErrorCode, string>> = {
  not_found: 'No published article has this name. See /api/v1/content for the index.',
  read_quota_exceeded:
    'All 3 article reads of this UTC day are used; read again after X-RateLimit-Reset, or ask your human to authorize you for 10 a day.',
  missing_token: 'Send the token as "Authorization: Bearer <token>".',
  invalid_token: 'The token has expired; ask the human for a new one.',
  validation_error: 'limit: must be at most 200; site: must be one of io, org.',
  invalid_body: 'The body is not well-formed JSON.',
  site_restriction: 'Stories and prompt replies are taken on org only; send this one there.',
  missing_code: 'The link has no code; open it as it stands in the e-mail.',
  invalid_or_expired_code: 'The code is unknown or expired; ask your agent to send a new request.',
  no_active_prompt: 'No community prompt is active on org; send a story or try later.',
  insufficient_scope: 'The token lacks the scope write:story; ask your human for it.',
  authorization_denied: 'Your human declined; do not ask again without being told to.',
  rate_limited: 'Too many requests; come back after Retry-After.',
  idempotency_conflict: 'This Idempotency-Key came with another body before; use a new key.',
  invalid_state: 'Only a contribution that is pending_review can be withdrawn; this one is published.',
  method_not_allowed: 'This path takes GET, HEAD.',
  payload_too_large: 'The body is over 128 KiB (131072 bytes); send a smaller one.',
  bad_request: 'The path cannot be decoded: it must be percent-encoded UTF-8.',
  request_timeout: 'The request did not arrive in time: 8 s for headers, 10 s in all.',
  uri_too_long: 'The request target is over 8 KiB; shorten the query.',
  headers_too_large: 'The headers are over 16 KiB; send fewer or shorter ones.',
  unsupported_media_type: 'Send the body as application/json, in UTF-8.',
  unavailable: 'The service does not answer in time; try again.',
  internal_error: 'Something went wrong; request 0b2c6d1e-5a1f-4c39-9b8e-0d3a1f6f2f10.',
};
