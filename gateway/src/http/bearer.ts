import type { IncomingMessage } from 'node:http';
import { codePoints, KnowledgeError, ownSecretFault } from '@knowledge/runtime';
import { isPlaceholder } from '@knowledge/runtime/names';
import type { FastifyRequest } from 'fastify';

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

/** Reads a header whose text is the caller's own; undefined without it. Throws validation_error, with `why` if it is too short or long. */
export function headerText(
  { headers, raw }: FastifyRequest,
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
  why = '',
): string | undefined {
  const sent = headers[name.toLowerCase()];
  if (sent === undefined) return undefined;
  const invalid = (what: string) => new KnowledgeError('validation_error', `${name}: ${what}.`);
  // Node joins two headers of one name with a comma, and the result would look like one text.
  if (typeof sent !== 'string' || countHeader(raw.rawHeaders, name.toLowerCase()) > 1)
    throw invalid('must be sent once');
  const text = decodeUtf8(sent);
  if (text === undefined) throw invalid('must be UTF-8');
  const length = codePoints(text);
  if (text.trim() === '' || length < min || length > max) throw invalid(`must have ${min} to ${max} characters${why}`);
  const secret = ownSecretFault(text);
  if (secret !== undefined) throw invalid(secret);
  return text;
}

// Agents send UTF-8, but Node decodes header bytes as Latin-1.
function decodeUtf8(sent: string) {
  for (let at = 0; at < sent.length; at += 1) {
    if (sent.charCodeAt(at) > 0x7f) {
      try {
        return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(sent, 'latin1'));
      } catch {
        return undefined;
      }
    }
  }
  return sent;
}
