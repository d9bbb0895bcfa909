import type { IncomingMessage } from 'node:http';
import { KnowledgeError } from '@knowledge/runtime';
import { isPlaceholder } from '@knowledge/runtime/names';

/**
 * Reads the Bearer token of a request; undefined without one. An empty Bearer counts as none if the token is optional.
 * Any other content of the header is refused, so that no credential is ignored (gateway/PROTOCOL.md#who-reads).
 *
 * @throws KnowledgeError `missing_token` for another scheme or none, `invalid_token` for text that cannot be a token.
 */
export function bearerToken(request: IncomingMessage, isRequired = false): string | undefined {
  const authorization = request.headers.authorization?.trim();
  if (authorization === undefined) return undefined;
  // Node drops a second Authorization header without an error.
  if (countHeader(request.rawHeaders, 'authorization') > 1) {
    throw new KnowledgeError('invalid_token', 'Send one Authorization header.');
  }
  if (!isRequired && /^(?:bearer)?$/i.test(authorization)) return undefined;
  const [, token] = /^bearer +(.+)$/is.exec(authorization) ?? [];
  if (token === undefined) {
    throw new KnowledgeError(
      'missing_token',
      `The Authorization header holds no Bearer token: send "Authorization: Bearer <token>"${isRequired ? '; this call needs one' : ', or leave the header out to read anonymously'}.`,
    );
  }
  const fault = configurationFault(token);
  if (fault !== undefined) {
    throw new KnowledgeError(
      'invalid_token',
      `The configuration of your client is at fault, not your human: ${fault}. Set the token there as the token exchange gave it.`,
    );
  }
  if (!/^[\x21-\x7e]{1,512}$/.test(token)) {
    throw new KnowledgeError('invalid_token', 'Send the token as "Authorization: Bearer <token>".');
  }
  return token;
}

function configurationFault(token: string): string | undefined {
  if (isPlaceholder(token)) return 'in place of the token it sends a placeholder';
  if (/^["'`]/.test(token)) return 'it sends the token in quotes';
  return /^bearer\b/i.test(token) ? 'it sends the word Bearer twice' : undefined;
}

/** Counts how often a header was sent; `rawHeaders` has names and values in turn. */
export function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === name) count += 1;
  return count;
}
