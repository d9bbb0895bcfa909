import { createHash } from 'node:crypto';

/** The same for identical texts; white space does not count. */
export function textHashOf(body: string): string {
  return createHash('sha256').update(body.replace(/\s+/g, ' ').trim()).digest('base64url').slice(0, 27);
}
