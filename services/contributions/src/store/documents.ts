import type { Site } from '@knowledge/runtime';
import type { MailOwner } from '@knowledge/runtime/mail';
import type { Contribution } from '../domain/contribution.js';
import type { Prompt } from '../domain/prompt.js';

/** A thing of the domain as it is kept: its id is `_id`. */
export type Stored<Thing extends { id: string }> = Omit<Thing, 'id'> & { _id: string };

/** A prompt with what its workers look for. */
export type PromptDocument = Stored<Prompt> & {
  /** When the clock next changes it. */
  dueAt: Date | null;
  /** Since when the log may lack some of its transitions; absent if it lacks none. */
  logSince?: Date;
};

/** A contribution with its mails and what its workers look for. */
export type ContributionDocument = Stored<Contribution> &
  MailOwner & {
    /** Since when the log may lack some of its transitions; absent if it lacks none. */
    logSince?: Date;
    /** The person was erased: it is deleted when the catalog and the log have heard of it, and nobody sees it until then. */
    erased?: true;
  };

/** Where equal submissions meet (`domain/slots.ts`). */
export interface SlotDocument {
  _id: string;
  email: string;
  /** The contribution that took it last. */
  contributionId: string;
  payloadHash: string;
  takenAt: Date;
  /** When it stops to count. */
  expiresAt: Date;
  /** When it is cleaned up. */
  deleteAt: Date;
}

/** `authorizations`: what contributions belong to. Written with each contribution, so that none slips past the end. */
export interface AuthorizationDocument {
  _id: string;
  /** Absent of one that ended before anything was sent with it. */
  email?: string;
  /** How many were ever sent with it. */
  contributions?: number;
  endedAt?: Date;
  endedBy?: string;
}

/** `people`: what a person chose, by their e-mail. */
export interface PersonDocument {
  _id: string;
  /** A mail for each contribution that arrives, not only for the first of an authorization. */
  eachReceipt: boolean;
}

/** `followers`: how far the log of another service was followed. */
export interface FollowerDocument {
  _id: string;
  cursor: string;
}

/** What every change of a site's prompts writes, so that two at once are one after the other. */
export interface SiteDocument {
  _id: Site;
  promptChanges: number;
}

/** Splits a thing for the database. */
export function store<Thing extends { id: string }>({ id, ...rest }: Thing): Stored<Thing> {
  return { _id: id, ...rest };
}
