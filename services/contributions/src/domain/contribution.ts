import { KnowledgeError, type Site, type Transition } from '@knowledge/runtime';
import type { Scope } from '@knowledge/runtime/product';

/** The types of a contribution (gateway/PROTOCOL.md#contribution-types). */
export type ContributionType = 'inquiry' | 'story' | 'prompt_reply';

/** The states of a contribution (gateway/PROTOCOL.md#states). */
export type ContributionState =
  | 'pending_review'
  | 'approved'
  | 'published'
  | 'retracted'
  | 'rejected'
  | 'withdrawn'
  | 'answered'
  | 'closed';

/** What an agent sent in the name of a human, and what became of it. */
export interface Contribution {
  /** A UUID that the caller made. */
  id: string;
  type: ContributionType;
  site: Site;
  state: ContributionState;
  /** Of a story; as sent. */
  title: string | null;
  body: string;
  /** The name to show; as sent. */
  name: string | null;
  /** Of a prompt reply: the prompt as it was asked. */
  prompt: { id: string; question: string } | null;
  /** Whose it is, case folded; empty once the person was erased. */
  email: string;
  tokenId: string;
  agentName: string;
  /** The authorization whose token sent it, which alone may see it; empty once the person was erased. */
  authorizationId: string;
  /** BCP 47; empty where it is neither said nor recognised. */
  language: string;
  /** Finds identical texts of one person. */
  textHash: string;
  /** An identical text of the same person that waited when this one came, and whether the same authorization sent it. */
  duplicateOf: { id: string; own: boolean } | null;
  submittedAt: Date;
  updatedAt: Date;
  /** When a moderator decided. */
  reviewedAt: Date | null;
  /** Why it was rejected, retracted or closed, for its human. */
  reason: string;
  /** Why it was closed, for moderators alone. */
  note: string;
  /** The answer to an inquiry. */
  answer: string;
  /** When it was first published. */
  publishedAt: Date | null;
  revision: number;
  history: Transition[];
  /** What the catalog must be told, or was told last. */
  publication: Publication | null;
  /** The revision that the catalog shows; 0 if it shows none. */
  catalogRevision: number;
}

/** Whose: a person, or the part of theirs that one authorization sent. */
export interface Owner {
  email: string;
  /** Undefined for all of the person's. */
  authorizationId: string | undefined;
}

export function isOf(contribution: Contribution, { email, authorizationId }: Owner): boolean {
  return (
    contribution.email === email && (authorizationId ?? contribution.authorizationId) === contribution.authorizationId
  );
}

export function unknownContribution(): KnowledgeError {
  return new KnowledgeError('not_found', 'There is no contribution with this id.');
}

/** The last change that the catalog must take; a newer one replaces it, since only the last counts. */
export interface Publication {
  action: 'publish' | 'retract';
  /** The contribution's revision: the catalog applies it only if it is greater than the last. */
  revision: number;
  /** Why, of a retraction. */
  reason: string;
  /** How often it was tried; the fencing number of an attempt. */
  attempts: number;
  /** When it is tried next; null once the catalog has it. */
  dueAt: Date | null;
}

/** What the human is told by e-mail (gateway/PROTOCOL.md#states). */
export type Notice = 'received' | 'published' | 'retracted' | 'rejected' | 'answered' | 'closed';

/** The scope that each type needs (gateway/PROTOCOL.md#contribution-types). */
export const scopeOf: Readonly<Record<ContributionType, Scope>> = {
  inquiry: 'write:inquiry',
  story: 'write:story',
  prompt_reply: 'write:prompt_reply',
};

/** A contribution as its first answer gave it, whatever became of it since: what a replay gives again. */
export function asFirstAnswered(contribution: Contribution): Contribution {
  const { submittedAt, history } = contribution;
  return {
    ...contribution,
    state: 'pending_review',
    updatedAt: submittedAt,
    reviewedAt: null,
    reason: '',
    note: '',
    answer: '',
    publishedAt: null,
    revision: 1,
    history: history.slice(0, 1),
    publication: null,
    catalogRevision: 0,
  };
}
