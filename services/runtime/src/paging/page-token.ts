import { createHash } from 'node:crypto';
import { KnowledgeError } from '../errors/knowledge-error.js';

/** The sort key of the last entry on a list page. The next list page begins after it. */
export type PageKey = readonly (number | string)[];

/** Identifies a list and its filters. A token is valid only for the same scope; an empty one fits any list. */
export type PageScope = readonly (number | string | null)[];

/** Makes an opaque token that contains the key and a hash of the scope. */
export function encodePageToken(scope: PageScope, key: PageKey): string {
  return Buffer.from(JSON.stringify([version, digest(scope), ...key])).toString('base64url');
}

/**
 * Reads a token; undefined for an empty token, which means the first list page. `shape` gives the type of each part of
 * the key.
 *
 * @throws KnowledgeError `validation_error` for a token that is malformed or belongs to another scope.
 */
export function decodePageToken<const Shape extends readonly ('number' | 'string')[]>(
  token: string,
  scope: PageScope,
  shape: Shape,
): KeyOf<Shape> | undefined {
  if (token === '') return undefined;
  const parts = parse(token);
  const [tokenVersion, tokenDigest, ...key] = parts ?? [];
  const fits = key.length === shape.length && key.every((part, index) => typeof part === shape[index]);
  if (tokenVersion !== version || !fits) throw invalid('is not a page token of this service');
  if (tokenDigest !== digest(scope)) throw invalid('belongs to a listing with other filters');
  return key as KeyOf<Shape>;
}

type KeyOf<Shape extends readonly ('number' | 'string')[]> = {
  -readonly [Index in keyof Shape]: Shape[Index] extends 'number' ? number : string;
};

const version = 1;
const maxLength = 1024;

function parse(token: string): unknown[] | undefined {
  if (token.length > maxLength || !/^[A-Za-z0-9_-]+$/.test(token)) return undefined;
  try {
    const parts: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : undefined;
  } catch {
    return undefined;
  }
}

function digest(scope: PageScope): string {
  return createHash('sha256').update(JSON.stringify(scope)).digest('base64url').slice(0, 11);
}

function invalid(why: string): KnowledgeError {
  return new KnowledgeError('validation_error', `page_token ${why}; begin again without one.`);
}
