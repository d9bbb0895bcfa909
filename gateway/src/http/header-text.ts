import { codePoints, KnowledgeError, ownSecretFault } from '@knowledge/runtime';
import type { FastifyRequest } from 'fastify';
import { countHeader } from './bearer.js';

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
function decodeUtf8(sent: string): string | undefined {
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
