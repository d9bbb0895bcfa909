import { hkdfSync, randomBytes } from 'node:crypto';
import { KnowledgeError } from '@knowledge/runtime';
import { type Authorization, type MailedCode, stateAt } from './authorization.js';
import { hashOf, makeSecret, type ReadSecret, sameHash } from './secret.js';

/** A code for one attempt at one mail, and what is kept of it. */
export function newMailedCode(
  authorization: Pick<Authorization, 'id' | 'expiresAt'>,
  mail: { id: string; attempts: number },
  goodUntil: Date,
): { code: string; kept: MailedCode } {
  const { code, hash } = makeSecret(authorization.id);
  const keySalt = randomBytes(16).toString('base64url');
  const keyHash = hashOf(accessSecret(code.slice(37), keySalt));
  const until = goodUntil < authorization.expiresAt ? goodUntil : authorization.expiresAt;
  return { code, kept: { mailId: mail.id, attempt: mail.attempts, hash, goodUntil: until, keySalt, keyHash } };
}

/** The human's own key that belongs to a mailed code: the same one every time, and known to nobody without the code. */
export function accessKeyOf(authorizationId: string, { secret }: ReadSecret, { keySalt }: MailedCode): string {
  return makeSecret(authorizationId, accessSecret(secret, keySalt)).code;
}

/**
 * The code of a request that was mailed with it, however old; it shows the request, and decides only while it lives.
 *
 * @throws KnowledgeError `invalid_or_expired_code`.
 */
export function requireKnownCode(authorization: Authorization, read: ReadSecret): MailedCode {
  const code = findCode(authorization, read);
  if (code === undefined || authorization.state === 'erased') throw invalidCode();
  return code;
}

/**
 * Checks that a code has expired while its request waits, so that a new link may be sent.
 *
 * @throws KnowledgeError `invalid_or_expired_code`.
 */
export function requireExpiredCode(authorization: Authorization | undefined, read: ReadSecret, now: Date): void {
  const code = findCode(authorization, read);
  if (authorization === undefined || code === undefined) throw invalidCode();
  if (stateAt(authorization, now) !== 'pending' || code.goodUntil > now) throw invalidCode();
}

/** What every code that leads nowhere is answered with. */
export function invalidCode(resend = false): KnowledgeError {
  return new KnowledgeError(
    'invalid_or_expired_code',
    resend
      ? 'This link is too old to decide with; its page can mail a new one.'
      : 'The code is unknown or too old; ask for a new authorization.',
    resend ? { metadata: { resend: 'true' } } : {},
  );
}

function findCode(authorization: Authorization | undefined, { hash }: ReadSecret): MailedCode | undefined {
  return authorization?.codes.find((each) => sameHash(each.hash, hash));
}

function accessSecret(codeSecret: string, keySalt: string): string {
  return Buffer.from(hkdfSync('sha256', codeSecret, keySalt, 'knowledge access key', 32)).toString('base64url');
}
