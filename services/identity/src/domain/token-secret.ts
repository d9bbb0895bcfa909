import { hkdfSync, randomBytes } from 'node:crypto';
import { tokenSecretOf } from '@knowledge/runtime';

/** Makes a random token (gateway/PROTOCOL.md#tokens). */
export function randomTokenSecret(): string {
  return tokenSecretOf(randomBytes(32));
}

/** Derives the token of an authorization. The same device code and salt always give the same token. */
export function deriveTokenSecret(deviceSecret: string, salt: string): string {
  return tokenSecretOf(Buffer.from(hkdfSync('sha256', deviceSecret, salt, 'knowledge write token', 32)));
}
