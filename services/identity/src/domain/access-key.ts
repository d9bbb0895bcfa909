import { randomUUID } from 'node:crypto';
import type { Site } from '@knowledge/runtime';
import type { Mail } from './mail.js';
import { tokenLifeMs } from './token.js';

/** An access key that belongs to no authorization. Only hashes of it are stored. */
export interface AccessKey {
  id: string;
  email: string;
  /** The site whose access page the link opens. */
  site: Site;
  /** One hash for each attempt to send the mail that carries the key. */
  hashes: string[];
  createdAt: Date;
  mails: Mail[];
  mailsDueAt: Date | null;
  /** When the key expires and is deleted. */
  purgeAt: Date;
}

/** A key that opens nothing until it gets a hash. It lives as long as a token. */
export function newAccessKey(email: string, site: Site, at: Date, id: string = randomUUID()): AccessKey {
  const purgeAt = new Date(at.getTime() + tokenLifeMs);
  return { id, email, site, hashes: [], createdAt: at, mails: [], mailsDueAt: null, purgeAt };
}
