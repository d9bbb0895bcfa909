import type { Site } from '@knowledge/runtime';
import type { MailOwner } from '@knowledge/runtime/mail';
import type { Contribution } from '../domain/contribution.js';
import type { Finding } from '../domain/finding.js';
import type { Prompt } from '../domain/prompt.js';

/** A domain object in the form that MongoDB stores. Its id is the `_id`. */
export type Stored<Thing extends { id: string }> = Omit<Thing, 'id'> & { _id: string };

/** A stored prompt, with fields for the queries of workers. */
export type PromptDocument = Stored<Prompt> & {
  /** The next time when the schedule changes the prompt. */
  dueAt: Date | null;
  /** Set while the transition log may lack transitions of this document; the value is the time of the oldest one. */
  logSince?: Date;
};

/** What moderators find a contribution by, and what its checks found. */
export interface Assessed {
  /** From 0 to 100. */
  risk: number;
  findings: Finding[];
  /** Hashes of its words, its language and its agent (`domain/search-terms.ts`). */
  terms: number[];
  /** What nearly equal texts have in common (`similarity/bands.ts`). */
  bands: number[];
  /** What it has in common with other texts (`checks/waves.ts`). */
  waves: string[];
}

/**
 * A stored contribution with its mails, and with fields for the queries of workers and moderators. A worker adds the
 * assessment.
 */
export type ContributionDocument = Stored<Contribution> &
  MailOwner &
  Partial<Assessed> & {
    /** Set while the transition log may lack transitions of this document; the value is the time of the oldest one. */
    logSince?: Date;
    /**
     * Set if the person was erased. Reads ignore the document, and it is deleted when the catalog and the log have the
     * erasure.
     */
    erased?: true;
    /** The mailbox of the e-mail, for counts and comparisons; empty after an erasure. */
    mailbox?: string;
    /** The number of notes of moderators about it (`teamwork`). */
    notes?: number;
  };

/** A stored idempotency slot (`domain/idempotency-slots.ts`). Equal submissions use the same slot. */
export interface SlotDocument {
  _id: string;
  email: string;
  /** The last contribution that used the slot. */
  contributionId: string;
  payloadHash: string;
  takenAt: Date;
  /** After this time the slot no longer makes a submission a replay. */
  expiresAt: Date;
  /** After this time MongoDB deletes the slot. */
  deleteAt: Date;
}

/** A document in `authorizations`. Each contribution writes it, so that none can be stored after the end. */
export interface AuthorizationDocument {
  _id: string;
  /** The person's e-mail. Absent if the authorization ended before its first contribution. */
  email?: string;
  /** The number of contributions that this authorization has sent. */
  contributions?: number;
  endedAt?: Date;
  endedBy?: string;
}

/** A document in `people`: the settings of a person. The `_id` is the e-mail. */
export interface PersonDocument {
  _id: string;
  /** Whether the person gets a mail for each contribution, or only for the first one of an authorization. */
  eachReceipt: boolean;
  /** The contribution whose mail tells all rejections until its time. */
  joined?: { id: string; until: Date };
}

/** A document in `followers`: the position in the log of another service. */
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
