import { randomUUID } from 'node:crypto';
import type { Site } from '@knowledge/runtime';
import type { Mail } from './mail.js';
import { tokenLifeMs } from './token.js';

/** A key of a human's own page that belongs to no authorization; of the key itself only a hash is kept. */
export interface AccessKey {
  id: string;
  email: string;
  /** Whose page the link opens. */
  site: Site;
  /** One for each attempt at the mail that carries it. */
  hashes: string[];
  createdAt: Date;
  mails: Mail[];
  mailsDueAt: Date | null;
  /** When it ends, and is deleted. */
  purgeAt: Date;
}

/** A key without a hash, which opens nothing yet; it lives as long as a token. */
export function newAccessKey(email: string, site: Site, at: Date, id: string = randomUUID()): AccessKey {
  const purgeAt = new Date(at.getTime() + tokenLifeMs);
  return { id, email, site, hashes: [], createdAt: at, mails: [], mailsDueAt: null, purgeAt };
}
