import { createHash } from 'node:crypto';
import { hashOf } from './secret.js';

/**
 * Makes the user code, such as `WDJB-MJHT`: 8 letters without vowels and without letters that look alike. It is derived
 * from the request key, so a repeated request has the same one.
 */
export function userCodeOf(requestKey: string): string {
  let letters = '';
  for (let round = 0; letters.length < 8; round++) {
    for (const byte of createHash('sha256').update(`user code ${round} ${requestKey}`).digest()) {
      // 240 is the largest multiple of 20 that fits into a byte, so every letter is equally likely.
      if (byte < 240 && letters.length < 8) letters += alphabet[byte % alphabet.length];
    }
  }
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** Hashes a user code that the human must type. Case, dash and spaces do not count. */
export function userCodeHash(authorizationId: string, userCode: string): string {
  return hashOf(`${authorizationId} ${userCode.toUpperCase().replace(/[\s-]/g, '')}`);
}

export function isUserCode(value: string): boolean {
  return /^[BCDFGHJKLMNPQRSTVWXZ]{4}[\s-]?[BCDFGHJKLMNPQRSTVWXZ]{4}$/i.test(value.trim());
}

const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
