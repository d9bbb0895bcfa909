import { KnowledgeError, type Site, type Transition } from '@knowledge/runtime';
import type { Scope } from '@knowledge/runtime/product';

/** The types are described in gateway/PROTOCOL.md#contribution-types. */
export type ContributionType = 'inquiry' | 'story' | 'prompt_reply';

/** The states are described in gateway/PROTOCOL.md#states. */
export type ContributionState =
  | 'pending_review'
  | 'approved'
  | 'published'
  | 'retracted'
  | 'rejected'
  | 'withdrawn'
  | 'answered'
  | 'closed';

/** A text that an agent contributed in the name of a human, with its state and history. */
export interface Contribution {
  /** A UUID from the caller. */
  id: string;
  type: ContributionType;
  site: Site;
  state: ContributionState;
  /** As sent; null unless it is a story. */
  title: string | null;
  body: string;
  /** The author's name to publish, as sent. */
  name: string | null;
  /** The prompt with its question at that time; null unless it is a prompt reply. */
  prompt: { id: string; question: string } | null;
  /** The human's e-mail in lower case; empty after the person was erased. */
  email: string;
  tokenId: string;
  agentName: string;
  /**
   * The root of the authorization that it belongs to. Agents with another one cannot see it. Empty after the person was
   * erased.
   */
  authorizationId: string;
  /** A BCP 47 tag; empty if it was not sent and not recognised. */
  language: string;
  /** Finds identical texts of the same person. */
  textHash: string;
  /**
   * A waiting contribution of the same person with the same text. `own` says whether the same authorization sent it.
   */
  duplicateOf: { id: string; own: boolean } | null;
  submittedAt: Date;
  updatedAt: Date;
  /** The time of the moderator's decision. */
  reviewedAt: Date | null;
  /** The reason for a rejection, retraction or closing, which the human sees. */
  reason: string;
  /** The private note of a closing, which only moderators see. */
  note: string;
  /** The moderator's answer to an inquiry. */
  answer: string;
  /** The time of the first publication. */
  publishedAt: Date | null;
  revision: number;
  history: Transition[];
  /** The last change for the catalog, applied or still due. */
  publication: Publication | null;
  /** The revision that the catalog shows; 0 for none. */
  catalogRevision: number;
}

/** A person, or one authorization of that person. */
export interface Owner {
  email: string;
  /** Undefined for all authorizations of the person. */
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

/** The last change for the catalog. A newer one replaces it. */
export interface Publication {
  action: 'publish' | 'retract';
  /** The revision of the contribution. The catalog applies it only if it is greater than the last one. */
  revision: number;
  /** The reason of a retraction. */
  reason: string;
  /** The number of attempts, which also tells apart the attempts of two workers. */
  attempts: number;
  /** The time of the next attempt; null once the catalog has it. */
  dueAt: Date | null;
}

/** The mails that a human can get about a contribution (gateway/PROTOCOL.md#states). */
export type Notice = 'received' | 'published' | 'retracted' | 'rejected' | 'answered' | 'closed';

/** The scope that each type requires (gateway/PROTOCOL.md#contribution-types). */
export const scopeOf: Readonly<Record<ContributionType, Scope>> = {
  inquiry: 'write:inquiry',
  story: 'write:story',
  prompt_reply: 'write:prompt_reply',
};

/** The contribution as the first response gave it. A replay gives the same response again. */
export function asFirstResponse(contribution: Contribution): Contribution {
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
