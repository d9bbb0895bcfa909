import { createHash, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { isUuid, refuse, tokenSecretOf } from '@knowledge/runtime';
import { v5 } from 'uuid';

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
  return isUuid(id) ? { id, secret, hash: hashOf(secret) } : undefined;
}

/**
 * Hashes a secret with SHA-256, in base64url. The secret has 256 random bits, so it needs no salt and no key
 * stretching.
 */
export function hashOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

export function sameHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** Makes a random token (gateway/PROTOCOL.md#tokens). */
export function randomTokenSecret(): string {
  return tokenSecretOf(randomBytes(32));
}

/** Derives the token of an authorization. The same device code and salt always give the same token. */
export function deriveTokenSecret(deviceSecret: string, salt: string): string {
  return tokenSecretOf(Buffer.from(hkdfSync('sha256', deviceSecret, salt, 'knowledge write token', 32)));
}

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
function lettersOf(userCode: string) {
  return userCode
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\p{P}\p{Cf}]/gu, '');
}

const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';

/**
 * Derives the id of an authorization from the key of its request. So one key never makes two authorizations.
 *
 * @throws KnowledgeError `validation_error` if the key is not a UUID.
 */
export function idOfRequest(requestKey: string, namespace: string): string {
  if (!isUuid(requestKey)) refuse('request_key must be a UUID in lower case');
  return v5(requestKey, namespace);
}
