import { createHash } from 'node:crypto';
import { hashOf } from './secret.js';

/**
 * What agent and human compare, like `WDJB-MJHT`: 8 letters without vowels, so that they are no word, nor letters that are
 * easily confused. It follows from the caller's key of the request, so a request that is sent again has the same.
 */
export function userCodeOf(requestKey: string): string {
  let letters = '';
  for (let round = 0; letters.length < 8; round++) {
    for (const byte of createHash('sha256').update(`user code ${round} ${requestKey}`).digest()) {
      // 240 is the largest multiple of 20 in a byte: every letter is equally likely.
      if (byte < 240 && letters.length < 8) letters += alphabet[byte % alphabet.length];
    }
  }
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** What is kept of a user code that must be typed; case, dash and spaces do not count. */
export function userCodeHash(authorizationId: string, userCode: string): string {
  return hashOf(`${authorizationId} ${userCode.toUpperCase().replace(/[\s-]/g, '')}`);
}

/** Whether a string has the form of a user code. */
export function isUserCode(value: string): boolean {
  return /^[BCDFGHJKLMNPQRSTVWXZ]{4}[\s-]?[BCDFGHJKLMNPQRSTVWXZ]{4}$/i.test(value.trim());
}

const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
