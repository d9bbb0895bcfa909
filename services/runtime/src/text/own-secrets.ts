import { crc32 } from 'node:zlib';
import { decodeHTML } from 'entities';
import { onlySeen } from './hidden-characters.js';

/**
 * Says where a text has a secret of ours and what to do, as the rest of a message. `shown` are its lines as readers get
 * them, for a secret that is written with entities or marks. Undefined for a text without one.
 */
export function ownSecretFault(text: string, shown: readonly ShownLines[] = []): string | undefined {
  const found = [{ text, line: 0 }, { text: spelledOut(text), line: 0 }, ...shown]
    .map(({ text: words, line }) => findIn(onlySeen(words), line))
    .find((each) => each !== undefined);
  return found === undefined
    ? undefined
    : `must not contain ${what[found.kind]} (line ${found.line}): ${remedy[found.kind]}`;
}

/** Some lines of a text, which begin at `line`, counted from 0. */
interface ShownLines {
  readonly text: string;
  readonly line: number;
}

/** Whether bytes of a message may have a secret of ours. */
export function mayHaveOwnSecret(bytes: Buffer): boolean {
  // What follows a text in a message may be a letter, so the form has no end here.
  return possible.test(bytes.toString('latin1'));
}

/** The first token of ours in a text. */
export function ownTokenIn(text: string): string | undefined {
  return text.match(form)?.find(isTokenSecret);
}

/** Whether a string has the form and the checksum of a token (SECURITY.md#secrets-of-ours). */
export function isTokenSecret(value: string): boolean {
  const [, body, sum] = /^cks_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/.exec(value) ?? [];
  return body !== undefined && checksum(body) === sum;
}

/** Makes a token of 256 bits: `cks_`, 43 characters of base62, and their CRC-32 as 6 more characters. */
export function tokenSecretOf(bytes: Buffer): string {
  const body = base62(BigInt(`0x${bytes.toString('hex')}`), 43);
  return `cks_${body}${checksum(body)}`;
}

const what = {
  token: 'a token of this service',
  key: 'a link or a key to the own page of a human, or a code of this service',
};
const remedy = {
  token: 'leave it out, and end this token if others may have seen it (DELETE /api/v1/agent/token)',
  key: 'leave it out. If others may have seen it, the human makes all earlier links useless on that page',
};

// A token, or what a mailed link and a device code carry (SECURITY.md#secrets-of-ours).
const token = 'cks_[0-9A-Za-z]{49}';
const key = String.raw`[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[\w-]{43}`;
const form = new RegExp(`(?:${token}|${key})(?![\\w-])`, 'g');
const possible = /c\s*k\s*s\s*_|[0-9a-f]{12}\s*\.\s*[\w-]|(?<![\w+/-])[\w+/-]{60}/;

/** How a secret may be written, and what such a place reads as. Each takes time as the length of the text. */
const spellings: readonly { form: RegExp; readings: (found: RegExpExecArray) => string[] }[] = [
  { form, readings: ([secret]) => [secret] },
  // With blanks anywhere: the checksum tells a token from other words.
  { form: /c\s*k\s*s\s*_(?:\s*[0-9A-Za-z]){49}/g, readings: ([found]) => [found.replace(/\s/g, '')] },
  // A key has no checksum, so only one break in it is read.
  {
    form: /(?<![\w.-])([\w.-]{1,99})\s+(?=([\w.-]{1,99}))/g,
    readings: ([, one = '', other = '']) => (one.length + other.length < 80 ? [] : [one + other]),
  },
  // In Base64, the first characters may belong to what stands before.
  {
    form: /(?<![\w+/-])[\w+/-]{60,}(?:\s+[\w+/-]+)*/g,
    readings: ([found]) => [0, 1, 2, 3].map((from) => Buffer.from(found.slice(from), 'base64').toString('latin1')),
  },
];

function findIn(text: string, before: number): { kind: keyof typeof what; line: number } | undefined {
  for (const spelling of spellings) {
    for (const found of text.matchAll(spelling.form)) {
      const secrets = spelling.readings(found).flatMap((read) => read.match(form) ?? []);
      const secret = secrets.find((each) => !each.startsWith('cks_') || isTokenSecret(each));
      if (secret === undefined) continue;
      const line = before + text.slice(0, found.index).split('\n').length;
      return { kind: secret.startsWith('cks_') ? 'token' : 'key', line };
    }
  }
  return undefined;
}

function spelledOut(text: string) {
  const decoded = decodeHTML(text).replace(/%[2-7][\da-f]/gi, (code) => decodeURIComponent(code));
  return onlySeen(decoded.replace(/\\(?=[^\w\s])|\\(?=_)/g, '')).normalize('NFKC');
}

function checksum(body: string) {
  return base62(BigInt(crc32(body)), 6);
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62(value: bigint, length: number) {
  let rest = value;
  let digits = '';
  for (let at = 0; at < length; at++) {
    digits = alphabet[Number(rest % 62n)] + digits;
    rest /= 62n;
  }
  return digits;
}
