import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isId } from './id.js';

/** A new device code, confirmation code or access key, with the hash to store. */
export interface NewSecretCode {
  /**
   * The `id` of the database document, a dot, and 256 random bits in base64url. With the id, any shard can find the
   * document.
   */
  code: string;
  hash: string;
}

/** The parts of a code that a caller sent. */
export interface SecretCode {
  id: string;
  secret: string;
  hash: string;
}

/** Makes a code for a database document. The secret is random unless it is given. */
export function newSecretCode(id: string, secret = randomBytes(32).toString('base64url')): NewSecretCode {
  return { code: `${id}.${secret}`, hash: hashOf(secret) };
}

/**
 * Reads a code, and cuts off what mail programs and people leave around it: a dot, a quote, `3D`. Returns undefined
 * for text without a code, so that it never reaches the database (SECURITY.md#confirmation).
 */
export function optionalSecretCode(input: string): SecretCode | undefined {
  const [, id = '', secret = ''] = /([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})(?![A-Za-z0-9_-])/.exec(input) ?? [];
  return isId(id) ? { id, secret, hash: hashOf(secret) } : undefined;
}

/**
 * Hashes a secret with SHA-256, in base64url. The secret has 256 random bits, so it needs no salt and no key
 * stretching.
 */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

export function sameHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
