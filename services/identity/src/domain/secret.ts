import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isId } from './id.js';

/** A secret that somebody was given, and what is kept of it. */
export interface MadeSecret {
  /** `id.secret`: the id of the document that knows it, so that it is found by `_id` on any shard, and 256 bits in base64url. */
  code: string;
  hash: string;
}

/** What a code says. */
export interface ReadSecret {
  id: string;
  secret: string;
  hash: string;
}

/** Makes a code that leads to a document; the secret is random unless given. */
export function makeSecret(id: string, secret = randomBytes(32).toString('base64url')): MadeSecret {
  return { code: `${id}.${secret}`, hash: hashOf(secret) };
}

/** Reads a code; undefined for what cannot be one, so that no database is asked (SECURITY.md#confirmation). */
export function optionalSecret(code: string): ReadSecret | undefined {
  if (code.length !== 80 || code[36] !== '.') return undefined;
  const id = code.slice(0, 36);
  const secret = code.slice(37);
  if (!isId(id) || !/^[A-Za-z0-9_-]{43}$/.test(secret)) return undefined;
  return { id, secret, hash: hashOf(secret) };
}

/** What is kept of a secret: SHA-256 in base64url. Its input has 256 random bits, so it needs no salt and no stretching. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Compares two hashes in constant time. */
export function sameHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
