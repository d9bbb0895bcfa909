import type { IncomingMessage } from 'node:http';
import { KnowledgeError } from '@knowledge/runtime';

/**
 * Reads the Bearer token of a request; undefined without an `Authorization` header. Any other content of the header is
 * refused, so that no credential is ignored (gateway/PROTOCOL.md#who-reads).
 *
 * @throws KnowledgeError `missing_token` for another scheme or none, `invalid_token` for text that cannot be a token.
 */
export function bearerToken(request: IncomingMessage, isRequired = false): string | undefined {
  const { authorization } = request.headers;
  if (authorization === undefined) return undefined;
  // Node drops a second Authorization header without an error.
  if (countHeader(request.rawHeaders, 'authorization') > 1) {
    throw new KnowledgeError('invalid_token', 'Send one Authorization header.');
  }
  if (!/^bearer +\S/i.test(authorization.trim())) {
    throw new KnowledgeError(
      'missing_token',
      `The Authorization header holds no Bearer token: send "Authorization: Bearer <token>"${isRequired ? '; this call needs one' : ', or leave the header out to read anonymously'}.`,
    );
  }
  const match = /^bearer +([\x21-\x7e]{1,512})$/i.exec(authorization.trim());
  if (match?.[1] === undefined) {
    throw new KnowledgeError('invalid_token', 'Send the token as "Authorization: Bearer <token>".');
  }
  return match[1];
}

/** Counts how often a header was sent; `rawHeaders` has names and values in turn. */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === name) count += 1;
  return count;
}
