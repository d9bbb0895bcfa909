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

/** Hashes a user code that the human must type. Only its letters count, as whatever window shows them. */
export function userCodeHash(authorizationId: string, userCode: string): string {
  return hashOf(`${authorizationId} ${lettersOf(userCode)}`);
}

export function isUserCode(value: string): boolean {
  return /^[BCDFGHJKLMNPQRSTVWXZ]{8}$/.test(lettersOf(value));
}

// Chat windows make other dashes, quotation marks, wide letters and characters that nobody sees.
function lettersOf(userCode: string): string {
  return userCode
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{P}\p{Cf}]/gu, '');
}

const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
