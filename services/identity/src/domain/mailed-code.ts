import { hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { KnowledgeError, type Site } from '@knowledge/runtime';
import { accessEnd } from '@knowledge/runtime/product';
import { type Authorization, type Mail, type MailedCode, stateAt } from './authorization.js';
import { hashOf, newSecretCode, type SecretCode, sameHash } from './secret.js';

/**
 * Makes the confirmation code for one attempt to send a mail, and the fields to store. It can confirm as long as the
 * request lives; once the mail server has accepted the mail, its lifetime is shorter.
 */
export function newMailedCode(
  { id, expiresAt: goodUntil }: Pick<Authorization, 'id' | 'expiresAt'>,
  mail: { id: string; attempts: number },
): { code: string; kept: MailedCode } {
  const { code, hash } = newSecretCode(id);
  const keySalt = randomBytes(16).toString('base64url');
  const keyHash = hashOf(accessSecret(code.slice(37), keySalt));
  return { code, kept: { mailId: mail.id, attempt: mail.attempts, hash, goodUntil, keySalt, keyHash } };
}

/** Derives the access key from a confirmation code and its stored salt. The result is the same every time. */
export function accessKeyOf(authorizationId: string, { secret }: SecretCode, { keySalt }: MailedCode): string {
  return newSecretCode(authorizationId, accessSecret(secret, keySalt)).code;
}

/**
 * Finds the stored fields of a confirmation code, even of an expired one. An expired code can show the authorization
 * and decline it, but not confirm it.
 *
 * @throws KnowledgeError `invalid_or_expired_code`.
 */
export function requireKnownCode(authorization: Authorization, read: SecretCode): MailedCode {
  const code = optionalKnownCode(authorization, read);
  if (code === undefined) throw invalidCode();
  return code;
}

/** Returns undefined if the code is unknown; `requireKnownCode` throws instead. */
export function optionalKnownCode(authorization: Authorization, read: SecretCode): MailedCode | undefined {
  return authorization.state === 'erased' ? undefined : findMailedCode(authorization, read);
}

/**
 * Checks that the code has expired and its authorization is still pending. Only then may a new link be sent.
 *
 * @throws KnowledgeError `invalid_or_expired_code`.
 */
export function requireExpiredCode(authorization: Authorization | undefined, read: SecretCode, now: Date): void {
  const code = findMailedCode(authorization, read);
  if (authorization === undefined || code === undefined) throw invalidCode();
  if (stateAt(authorization, now) !== 'pending' || code.goodUntil > now) throw invalidCode();
}

/** The error for every unknown or expired code. */
export function invalidCode(resend = false): KnowledgeError {
  return new KnowledgeError(
    'invalid_or_expired_code',
    resend
      ? 'This link is too old to say yes with. It can say no, and its page can mail a new one.'
      : 'The code is unknown or too old; ask for a new authorization.',
    resend ? { metadata: { resend: 'true' } } : {},
  );
}

function findMailedCode(authorization: Authorization | undefined, { hash }: SecretCode) {
  return authorization?.codes.find((each) => sameHash(each.hash, hash));
}

function accessSecret(codeSecret: string, keySalt: string) {
  return Buffer.from(hkdfSync('sha256', codeSecret, keySalt, 'knowledge access key', 32)).toString('base64url');
}

/** An access key that belongs to no authorization. The database stores only hashes of it. */
export interface AccessKey {
  id: string;
  email: string;
  /** The link opens the access page of this site. */
  site: Site;
  /** The hashes of the keys in the mail. Each attempt to send the mail has its own key. */
  hashes: string[];
  createdAt: Date;
  mails: Mail[];
  mailsDueAt: Date | null;
  /** The time when the key expires and MongoDB deletes it. */
  purgeAt: Date;
}

/** Makes an access key with its secret code, for a link that is sent at once. */
export function newOpenKey(email: string, site: Site, at: Date): { key: AccessKey; code: string } {
  const key = newAccessKey(email, site, at);
  const { code, hash } = newSecretCode(key.id);
  return { key: { ...key, hashes: [hash] }, code };
}

/** Makes an access key without a hash. It opens nothing until a hash is added, and lives as long as a token. */
export function newAccessKey(email: string, site: Site, at: Date, id: string = randomUUID()): AccessKey {
  return { id, email, site, hashes: [], createdAt: at, mails: [], mailsDueAt: null, purgeAt: accessEnd(at) };
}

/**
 * Returns the e-mail whose access page the key opens. A confirmed authorization stores the hashes of the keys on its
 * page and in its mails. These keys work until the authorization is deleted, which is later than its token expires.
 *
 * @throws KnowledgeError `not_found` for any other key.
 */
export function requireConfirmedKeyHolder(authorization: Authorization | undefined, key: SecretCode): string {
  if (authorization !== undefined && opens(authorization, key)) return authorization.email;
  throw unknownKey();
}

/** The error for every access key that does not work. */
export function unknownKey(): KnowledgeError {
  return new KnowledgeError('not_found', 'This link is unknown or has ended.');
}

function opens({ state, decision, codes }: Authorization, { hash }: SecretCode) {
  // The access key that is derived from a mailed code works only after the confirmation.
  return state !== 'erased' && decision === 'confirm' && codes.some(({ keyHash }) => sameHash(keyHash, hash));
}
