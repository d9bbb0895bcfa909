import { createHash } from 'node:crypto';
import { type ErrorCode, errorCatalogue, hasCode, KnowledgeError } from '@knowledge/runtime';

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

export function strongEtag(bytes: Buffer | string): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
}

/** Rethrows an error of a list with the names of the API. A service calls `cursor` `page_token`, and `q` `query`. */
export function rejectInCallersTerms(error: unknown): never {
  if (!hasCode(error, 'validation_error')) throw error;
  const message = error.message
    .replace(/^page_token .*/, 'cursor: does not belong to this listing; begin again without it.')
    .replace(/(^|; )([a-z_]+) must /g, (_, before, name) => `${before}${name === 'query' ? 'q' : name}: must `);
  throw new KnowledgeError('validation_error', message, { cause: error });
}

// RFC 6750 section 3: the header has no error attribute if the caller sent no token.
function challenge(code: ErrorCode): string {
  return code === 'invalid_token' ? 'Bearer realm="knowledge", error="invalid_token"' : 'Bearer realm="knowledge"';
}
