import type { Site } from '@knowledge/runtime';
import type { MailOwner } from '@knowledge/runtime/mail';
import type { Contribution } from '../domain/contribution.js';
import type { Prompt } from '../domain/prompt.js';

/** A domain object as MongoDB stores it, with its id as `_id`. */
export type Stored<Thing extends { id: string }> = Omit<Thing, 'id'> & { _id: string };

/** A prompt with the fields that workers query. */
export type PromptDocument = Stored<Prompt> & {
  /** The next time at which the clock changes it. */
  dueAt: Date | null;
  /** The oldest time from which the transition log may lack transitions; absent if it has all. */
  logSince?: Date;
};

/** A contribution with its mails and the fields that workers query. */
export type ContributionDocument = Stored<Contribution> &
  MailOwner & {
    /** The oldest time from which the transition log may lack transitions; absent if it has all. */
    logSince?: Date;
    /**
     * The person was erased. Nobody finds the document, and it is deleted once the catalog and the log have the
     * erasure.
     */
    erased?: true;
  };

/** An idempotency slot (`domain/idempotency-slots.ts`), where equal submissions meet. */
export interface SlotDocument {
  _id: string;
  email: string;
  /** The latest contribution that took the slot. */
  contributionId: string;
  payloadHash: string;
  takenAt: Date;
  /** After this time the slot does not count any more. */
  expiresAt: Date;
  /** After this time MongoDB deletes the slot. */
  deleteAt: Date;
}

/** `authorizations`: written with each contribution, so that none can be stored after the end. */
export interface AuthorizationDocument {
  _id: string;
  /** Absent if it ended before its first contribution. */
  email?: string;
  /** The number of contributions that were ever sent with it. */
  contributions?: number;
  endedAt?: Date;
  endedBy?: string;
}

/** `people`: the settings of a person, by e-mail. */
export interface PersonDocument {
  _id: string;
  /** Whether each contribution is confirmed by mail, or only the first of an authorization. */
  eachReceipt: boolean;
}

/** `followers`: the position in the log of another service. */
export interface FollowerDocument {
  _id: string;
  cursor: string;
}

/** Every change of a site's prompts writes this document, so that parallel changes wait for each other. */
export interface SiteDocument {
  _id: Site;
  promptChanges: number;
}

export function toStored<Thing extends { id: string }>({ id, ...rest }: Thing): Stored<Thing> {
  return { _id: id, ...rest };
}
