import { type ErrorCode, errorCatalogue } from '../errors/catalogue.js';
import { KnowledgeError } from '../errors/knowledge-error.js';

/**
 * Makes the body of a failure: exactly `{ ok: false, error, message }` (gateway/PROTOCOL.md#envelope). The message
 * repeats the Retry-After header, because many tools of agents show only the body.
 */
export function failureBody(error: KnowledgeError): string {
  const { code, message, retryAfterSeconds } = error;
  const seconds = retryAfterSeconds === undefined ? undefined : waitOf(error);
  const wait = seconds === undefined ? '' : ` Wait ${seconds} s, then try again.`;
  return JSON.stringify({ ok: false, error: code, message: `${message}${wait}` });
}

/** The wait of a 429 or 503. A limit of a day has none: retry libraries would sleep for hours, and nobody would read the message. */
function waitOf({ code, metadata, retryAfterSeconds = 1 }: KnowledgeError): number | undefined {
  const { http } = errorCatalogue[code];
  const mayWait = (http === 429 && metadata?.['window'] !== 'day') || http === 503;
  return mayWait ? Math.max(1, Math.ceil(retryAfterSeconds)) : undefined;
}

/** Makes the headers of a failure (gateway/PROTOCOL.md#errors). */
export function failureHeaders(error: KnowledgeError): Record<string, string> {
  const { code } = error;
  const headers: Record<string, string> = { 'cache-control': 'no-store' };
  if (errorCatalogue[code].http === 401) headers['www-authenticate'] = challenge(code);
  // RFC 9110 section 15.5.16; Accept-Post is the same of the Linked Data Platform.
  if (code === 'unsupported_media_type') headers['accept'] = headers['accept-post'] = 'application/json';
  const wait = waitOf(error);
  if (wait !== undefined) headers['retry-after'] = String(wait);
  return headers;
}

// RFC 6750 section 3: the header has no error attribute if the caller sent no token.
function challenge(code: ErrorCode): string {
  return code === 'invalid_token' ? 'Bearer realm="knowledge", error="invalid_token"' : 'Bearer realm="knowledge"';
}

/** The failure for a request target over 8 KiB. */
export function uriTooLong(): KnowledgeError {
  return new KnowledgeError('uri_too_long', 'The request target is over 8 KiB; send a shorter one.');
}

/** The failure for a header block over 16 KiB, or with over 1,000 headers. */
export function headersTooLarge(): KnowledgeError {
  return new KnowledgeError(
    'headers_too_large',
    'The headers have over 16 KiB, or there are over 1,000; send fewer or shorter ones.',
  );
}
