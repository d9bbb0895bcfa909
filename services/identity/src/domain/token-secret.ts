import { hkdfSync, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * A write token (gateway/PROTOCOL.md#tokens, SECURITY.md#tokens-and-secrets): `cks_`, 256 bits as 43 characters of
 * base62, and the CRC-32 of those 43 as 6 more. Leak scanners find it by `cks_[0-9A-Za-z]{49}`.
 */
export function randomTokenSecret(): string {
  return format(randomBytes(32));
}

/** The token of an authorization: it can be made again from the device code's secret and the salt, and from nothing less. */
export function deriveTokenSecret(deviceSecret: string, salt: string): string {
  return format(Buffer.from(hkdfSync('sha256', deviceSecret, salt, 'knowledge write token', 32)));
}

/** Whether a string can be a token: its form and its checksum. No database is needed to say no. */
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
