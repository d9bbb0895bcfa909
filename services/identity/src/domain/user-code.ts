import { createHash } from 'node:crypto';
import { hashOf } from './secret.js';

/**
 * Makes a user code such as `WDJB-MJHT`: 8 letters without vowels and without letters that look alike. It is derived
 * from the request key, so a repeated request gets the same user code.
 */
export function userCodeOf(requestKey: string): string {
  let letters = '';
  for (let round = 0; letters.length < 8; round++) {
    for (const byte of createHash('sha256').update(`user code ${round} ${requestKey}`).digest()) {
      // 240 is the largest multiple of 20 in a byte. Using only smaller bytes makes every letter equally likely.
      if (byte < 240 && letters.length < 8) letters += alphabet[byte % alphabet.length];
    }
  }
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** Hashes a user code that the human must type. It ignores case, dashes and spaces. */
export function userCodeHash(authorizationId: string, userCode: string): string {
  return hashOf(`${authorizationId} ${userCode.toUpperCase().replace(/[\s-]/g, '')}`);
}

export function isUserCode(value: string): boolean {
  return /^[BCDFGHJKLMNPQRSTVWXZ]{4}[\s-]?[BCDFGHJKLMNPQRSTVWXZ]{4}$/i.test(value.trim());
}

const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
