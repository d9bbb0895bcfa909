import { hkdfSync, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * Makes a random token (gateway/PROTOCOL.md#tokens, SECURITY.md#tokens-and-secrets). It has `cks_`, 256 bits as 43
 * characters of base62, and their CRC-32 as 6 more characters. Leak scanners search for `cks_[0-9A-Za-z]{49}`.
 */
export function randomTokenSecret(): string {
  return format(randomBytes(32));
}

/** Derives the token of an authorization. The same device code and salt always give the same token. */
export function deriveTokenSecret(deviceSecret: string, salt: string): string {
  return format(Buffer.from(hkdfSync('sha256', deviceSecret, salt, 'knowledge write token', 32)));
}

/** Whether a string has the form and the checksum of a token. Other strings never reach the database. */
export function isTokenSecret(value: string): boolean {
  if (value.length !== prefix.length + bodyLength + checksumLength || !value.startsWith(prefix)) return false;
  const body = value.slice(prefix.length, -checksumLength);
  return /^[0-9A-Za-z]+$/.test(body) && value.endsWith(checksum(body));
}

const prefix = 'cks_';
const bodyLength = 43;
const checksumLength = 6;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function format(bytes: Buffer): string {
  const body = base62(BigInt(`0x${bytes.toString('hex')}`), bodyLength);
  return `${prefix}${body}${checksum(body)}`;
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), checksumLength);
}

function base62(value: bigint, length: number): string {
  let rest = value;
  let digits = '';
  for (let at = 0; at < length; at++) {
    digits = alphabet[Number(rest % 62n)] + digits;
    rest /= 62n;
  }
  return digits;
}
