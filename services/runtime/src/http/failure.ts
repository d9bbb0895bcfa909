import { type ErrorCode, errorCatalogue } from '../errors/catalogue.js';
import type { KnowledgeError } from '../errors/knowledge-error.js';

/**
 * Makes the body of a failure: exactly `{ ok: false, error, message }` (gateway/PROTOCOL.md#envelope). The message
 * repeats the Retry-After header, because many tools of agents show only the body.
 */
export function failureBody(error: KnowledgeError): string {
  const { code, message, retryAfterSeconds } = error;
  const wait = retryAfterSeconds === undefined || !mayWait(code) ? '' : ` Wait ${waitOf(error)} s, then try again.`;
  return JSON.stringify({ ok: false, error: code, message: `${message}${wait}` });
}

function mayWait(code: ErrorCode): boolean {
  const { http } = errorCatalogue[code];
  return http === 429 || http === 503;
}

function waitOf({ retryAfterSeconds }: KnowledgeError): number {
  return Math.max(1, Math.ceil(retryAfterSeconds ?? 1));
}

/** Makes the headers of a failure (gateway/PROTOCOL.md#errors). */
export function failureHeaders(error: KnowledgeError): Record<string, string> {
  const { code } = error;
  const headers: Record<string, string> = { 'cache-control': 'no-store' };
  if (errorCatalogue[code].http === 401) headers['www-authenticate'] = challenge(code);
  if (mayWait(code)) headers['retry-after'] = String(waitOf(error));
  return headers;
}

// RFC 6750 section 3: the header has no error attribute if the caller sent no token.
function challenge(code: ErrorCode): string {
  return code === 'invalid_token' ? 'Bearer realm="knowledge", error="invalid_token"' : 'Bearer realm="knowledge"';
}
