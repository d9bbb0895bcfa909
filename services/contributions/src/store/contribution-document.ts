import { randomUUID } from 'node:crypto';
import { type CallContext, later, mailboxOf } from '@knowledge/runtime';
import { type MailOwner, newMail, type OutboxMail } from '@knowledge/runtime/mail';
import type { Db } from 'mongodb';
import type { Finding } from '../checks/check.js';
import { networkWave } from '../checks/waves.js';
import { type AuthorizationEnd, type Contribution, type Notice, untouched } from '../domain/contribution.js';
import { unsent } from '../domain/sent-fields.js';
import type { AuthorizationStore } from './authorizations.js';

export function contributionsOf(db: Db) {
  return db.collection<ContributionDocument>('contributions');
}

/** What moderators find a contribution by, and what its checks found. */
export interface Assessed {
  /** From 0 to 100. */
  risk: number;
  findings: Finding[];
  /** Hashes of its words, its language and its agent (`domain/search-terms.ts`). */
  terms: number[];
  /** What nearly equal texts have in common (`checks/similarity.ts`). */
  bands: number[];
  /** What it has in common with other texts (`checks/waves.ts`). */
  waves: string[];
}

/**
 * A stored contribution with its mails, and with fields for the queries of workers and moderators. A worker adds the
 * assessment.
 */
export type ContributionDocument = Omit<Contribution, 'id'> &
  MailOwner &
  Partial<Assessed> & {
    _id: string;
    /** Set while the transition log may lack transitions of this document; the value is the time of the oldest one. */
    logSince?: Date;
    /**
     * Set if the person was erased. Reads ignore the document, and it is deleted when the catalog and the log have the
     * erasure.
     */
    erased?: true;
    /** The mailbox of the e-mail, for counts and comparisons; empty after an erasure. */
    mailbox: string;
    /** The number of notes of moderators about it (`teamwork`). */
    notes?: number;
  };

/** Makes a new database document. `logSince` marks that the transition log lacks its first transition. */
export function toContributionDocument(contribution: Contribution, network = ''): ContributionDocument {
  const waves = network === '' ? {} : { waves: [networkWave(network)] };
  const { id: _id, ...fields } = contribution;
  return {
    _id,
    ...fields,
    mailbox: mailboxOf(contribution.email),
    ...waves,
    mails: [],
    mailsDueAt: null,
    logSince: contribution.updatedAt,
  };
}

/** Reads a database document. A field that came after the first release has a default, for one that was stored without it. */
export function toContribution(document: ContributionDocument): Contribution {
  const {
    _id,
    mails: _mails,
    mailsDueAt: _due,
    logSince: _logSince,
    erased: _erased,
    notes: _notes,
    mailbox: _mailbox,
    risk: _risk,
    findings: _findings,
    terms: _terms,
    bands: _bands,
    waves: _waves,
    ...contribution
  } = document;
  return { ...unsent, ...untouched, id: _id, ...contribution };
}

/** What only queries need. */
export const leftOutOfReads = { terms: 0, bands: 0, waves: 0 } as const;
/** What lists do not read. Earlier texts can be many times as long as the current one. */
export const leftOutOfLists = { 'textChanges.before': 0, ...leftOutOfReads } as const;

/** Adds a mail to the document. The mail is due at once. */
export function withMail(document: ContributionDocument, notice: Notice, call: CallContext): ContributionDocument {
  return { ...document, mails: [...document.mails, noticeMail(notice, call)], mailsDueAt: call.now };
}

/** Makes a mail about a change of a contribution. */
export function noticeMail(notice: Notice, { now, traceparent }: CallContext): OutboxMail {
  const mail = newMail(randomUUID(), notice, now, traceparent);
  return notice === 'published' ? { ...mail, dueAt: later(now, publicationHoldMs) } : mail;
}

/** The longest time for which a mail waits until the catalog has the object of its link. Then it is sent anyway. */
const publicationHoldMs = 3_600_000;

/** A contribution as moderators get it. */
export interface ContributionRecord {
  contribution: Contribution;
  mails: readonly OutboxMail[];
  /** The end of the authorization; undefined if it has not ended. */
  accessEnd: AuthorizationEnd | undefined;
  /** From 0 to 100; 0 too for a contribution that has not been assessed. */
  risk: number;
  findings: readonly Finding[];
}

/** Adds the ends of authorizations to contributions, by one query for all. */
export async function toRecords(
  documents: readonly ContributionDocument[],
  ends: AuthorizationStore['ends'],
  signal: AbortSignal,
): Promise<ContributionRecord[]> {
  const ended = await ends(
    documents.map(({ authorizationId }) => authorizationId),
    signal,
  );
  return documents.map((document) => {
    const contribution = toContribution(document);
    const { mails, risk = 0, findings = [] } = document;
    return { contribution, mails, accessEnd: ended.get(contribution.authorizationId), risk, findings };
  });
}
