import { createHash } from 'node:crypto';

/** Hashes a text. Texts that differ only in white space have the same hash. */
export function textHashOf(body: string): string {
  return createHash('sha256').update(body.replace(/\s+/g, ' ').trim()).digest('base64url').slice(0, 27);
}
