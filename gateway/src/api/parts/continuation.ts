import { createHmac, timingSafeEqual } from 'node:crypto';
import { KnowledgeError, mailboxOf } from '@knowledge/runtime';
import { networkOf } from '@knowledge/runtime/http';
import type { TextRange } from '../../present/text/cut-part.js';
import { limits } from '../../protocol/limits.js';
import type { SiteName } from '../../upstream/sites.js';
import type { Subject } from '../subject.js';

/** What is left of a read, with the article and the text that was read. */
export interface OpenRead {
  readonly site: SiteName;
  readonly slug: string;
  /** The number of the revision, and a hash of its text. */
  readonly textId: string;
  readonly left: TextRange;
  /** Undefined where parts have no bound. */
  readonly maxTokens: number | undefined;
  /** The anchor of the section that the reader asked for; undefined for the whole article. */
  readonly section: string | undefined;
  /** When the continuation ends, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Signs what is left of a read. So its reader, and nobody else, gets the rest without another charge. */
export type Continuations = ReturnType<typeof createContinuations>;

/** Makes the continuations. All gateways of a service need the same key, because any of them may serve the next part. */
export function createContinuations(key: string, now: () => number = Date.now) {
  const hash = (purpose: string, content: string): Buffer =>
    createHmac('sha256', key).update(`${purpose} ${content}`).digest();
  // Half of the hash is as safe, and a model pays for each character of a link.
  const signed = (content: string) =>
    `${content}.${hash('continuation 1', content).subarray(0, 16).toString('base64url')}`;
  // The name of a reader may be an address or an e-mail, so a continuation has only its keyed hash.
  const nameOf = (reader: Subject) => hash('reader', readerOf(reader)).subarray(0, 12).toString('base64url');
  return {
    sign(read: OpenRead, reader: Subject) {
      const { site, slug, textId, left, maxTokens = null, section = null, expiresAt } = read;
      const name = nameOf(reader);
      const fields: Fields = [name, site, slug, textId, left.start, left.end, maxTokens, section, expiresAt];
      return signed(Buffer.from(JSON.stringify(fields)).toString('base64url'));
    },
    /**
     * Returns the signed read. Throws validation_error if the text is not ours or has expired, or if it belongs to another
     * reader or article.
     */
    open(sent: string, { site, slug }: Pick<OpenRead, 'site' | 'slug'>, reader: Subject): OpenRead {
      const token = tokenOf(sent);
      const content = token.slice(0, token.indexOf('.'));
      const given = Buffer.from(token);
      const expected = Buffer.from(signed(content));
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw refused(notOurs);
      const [name, ofSite, ofSlug, textId, start, end, maxTokens, section, expiresAt] = JSON.parse(
        Buffer.from(content, 'base64url').toString(),
      ) as Fields;
      // First the reader, so that nobody learns what another one reads.
      if (name !== nameOf(reader)) throw refused(otherReader);
      if (ofSite !== site || ofSlug !== slug)
        throw refused(`belongs to the article ${ofSlug} of ${ofSite}; send it with that article, or leave it out`);
      if (expiresAt <= now()) throw refused(expired);
      const asked = { maxTokens: maxTokens ?? undefined, section: section ?? undefined };
      return { site, slug, textId, left: { start, end }, ...asked, expiresAt };
    },
  };
}

/** When a continuation ends whose read was counted now. */
export function endOfContinuation(now = Date.now()): number {
  return now + limits.continuationHours * 3_600_000;
}

type Fields = readonly [string, SiteName, string, string, number, number, number | null, string | null, number];

// Spells a reader as quota counts it, so that two spellings that share a limit share a read.
function readerOf({ kind, charges }: Subject) {
  const value = charges[0]?.subject?.value ?? '';
  const spelling = { verified_email: mailboxOf, address: networkOf, client_id: String };
  return `${kind} ${spelling[kind](value)}`;
}

// A model may copy the whole link in place of its last part.
function tokenOf(sent: string) {
  return sent.replace(/^.*[?&]continuation=/s, '').replace(/&.*$/s, '');
}

const notOurs = 'is not as it was sent; use the link of the part before unchanged, or begin a new read without it';
const otherReader =
  'belongs to another reader; send the X-Agent-Client-Id or the token with which the read began, or begin a new read without it';
const expired = `has ended ${limits.continuationHours} hours after its read was counted; begin a new read without it`;

function refused(why: string) {
  return new KnowledgeError('validation_error', `continuation: ${why}.`);
}
