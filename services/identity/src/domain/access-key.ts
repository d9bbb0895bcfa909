import { randomUUID } from 'node:crypto';
import { KnowledgeError, type Site } from '@knowledge/runtime';
import { accessEnd } from '@knowledge/runtime/product';
import type { Authorization, Mail } from './authorization.js';
import { newSecretCode, type SecretCode, sameHash } from './secret.js';

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

function opens({ state, decision, codes }: Authorization, { hash }: SecretCode): boolean {
  // The access key that is derived from a mailed code works only after the confirmation.
  return state !== 'erased' && decision === 'confirm' && codes.some(({ keyHash }) => sameHash(keyHash, hash));
}
