import { type Attribution, asciiAddress, KnowledgeError, type Site, type Transition } from '@knowledge/runtime';
import {
  type ContributionState,
  type ContributionType,
  type DecisionName,
  type DecisionNotice,
  decisions,
  type EntryName,
  type InputName,
  type StateChange,
  waitingStates,
} from '@knowledge/runtime/product';
import type { SentFields, WrittenText } from './sent-fields.js';

/** A text that an agent contributed in the name of a human, with its state and history. */
export interface Contribution extends SentFields {
  /** A UUID that the caller created. */
  id: string;
  type: ContributionType;
  site: Site;
  state: ContributionState;
  /** The human's e-mail in lower case; empty after the person was erased. */
  email: string;
  tokenId: string;
  agentName: string;
  /**
   * The id of the root of the renewal chain that sent it. Agents of other chains cannot see the contribution. Empty
   * after the person was erased.
   */
  authorizationId: string;
  /** A hash of the body. Equal texts of a person have the same hash. */
  textHash: string;
  /**
   * An earlier contribution of the same person with the same text that still waits. `own` is true if the same
   * authorization sent it.
   */
  duplicateOf: { id: string; own: boolean } | null;
  submittedAt: Date;
  updatedAt: Date;
  /** The time of the moderator's last decision. */
  reviewedAt: Date | null;
  /** The reason for a rejection, retraction or closing, or the changes that are asked for. The human sees it. */
  reason: string;
  /** The private note of a closing. Only moderators see it. */
  note: string;
  /** The answer to an inquiry, written by a moderator. */
  answer: string;
  /** The time of the first publication. */
  publishedAt: Date | null;
  revision: number;
  history: HistoryEntry[];
  /** The changes of the text, oldest first. */
  textChanges: TextChange[];
  /** The last change for the catalog, even if the catalog has already applied it. */
  publication: Publication | null;
  /** The revision that the catalog shows; 0 if the catalog does not have the contribution. */
  catalogRevision: number;
  /** A decision that takes effect later. Only moderators see it. */
  held: HeldDecision | null;
  /** An edit that waits for the yes of its human. */
  proposal: Proposal | null;
  /** Who opened it last, and at which revision. Only moderators see it. */
  looks: Look[];
  /** The end of the access of its agent, which a decision caused. */
  agentEnd: AgentEnd | null;
}

/** A new state, the erasure, or an entry that changes no state. */
export interface HistoryEntry extends Transition {
  readonly to: ContributionState | EntryName | 'erased';
}

/** Whether an entry is of this request. Callers repeat a request when they lose the response. */
export function isSameRequest(entry: Transition | undefined, { actor, requestId }: Attribution): boolean {
  return requestId !== undefined && entry?.requestId === requestId && entry.actor === actor;
}

/** Who ended the access of an agent and why. `dueAt` is when identity ends it; null once it has. */
interface AgentEnd {
  actor: string;
  reason: string;
  dueAt: Date | null;
}

/** An agent whose access a decision ends. */
export type EndingAgent = Pick<Contribution, 'email' | 'authorizationId'> & AgentEnd & { dueAt: Date };

/** The last look of a staff member at the whole contribution. */
interface Look {
  actor: string;
  revision: number;
}

/** The revision at which a staff member last opened it; 0 for never. */
export function seenBy({ looks }: Contribution, actor: string): number {
  return looks.find((each) => each.actor === actor)?.revision ?? 0;
}

/** How many staff members' looks are kept: the last ones. */
export const mostLooks = 20;

/** A change of the text. The text after it is that before the next change, or the current one. */
export interface TextChange {
  /** The revision that the change made. */
  revision: number;
  at: Date;
  by: 'agent' | 'human' | 'moderator';
  /** Why a moderator changed the text; empty if agent or human did. */
  reason: string;
  /** Why its human cannot undo an edit: they agreed to it, or the text before is not kept. */
  final?: 'agreed' | 'forgotten';
  fields: (keyof WrittenText)[];
  /** Null if a moderator removed it; undefined in lists. */
  before?: WrittenText | null;
  /** Hashes of the agent's request, which recognise a repeat. */
  payloadHash?: string;
  keyHash?: string;
}

/** An edit of a text that was published, by a moderator. Any other change outdates it. */
export interface Proposal extends Attribution {
  text: WrittenText;
  /** The revision of the contribution that proposed it. */
  revision: number;
}

/** The owner of contributions: a person, or one authorization of that person. */
export interface Owner {
  email: string;
  /** The authorization; undefined for all authorizations of the person. */
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

/** Says what the state of a contribution does not allow. */
export function invalidState({ state, revision }: Contribution, message: string, more: object = {}): KnowledgeError {
  return new KnowledgeError('invalid_state', message, { metadata: { state, revision: String(revision), ...more } });
}

/** Says that somebody decides about an older text. ABORTED tells clients that the revision is stale. */
export function staleRevision({ state, revision }: Contribution, message: string): KnowledgeError {
  const metadata = { state, revision: String(revision) };
  return new KnowledgeError('invalid_state', message, { grpcStatus: 10, metadata });
}

/** The last change of a contribution for the catalog. A newer change replaces it. */
export interface Publication {
  action: 'publish' | 'retract';
  /** The revision of the contribution. The catalog ignores a change whose revision is not higher than the last one. */
  revision: number;
  /** The reason for a retraction, without words of people. */
  reason: string;
  /** The number of attempts. It also distinguishes the attempts of two workers. */
  attempts: number;
  /** The time of the next attempt; null when the catalog has applied the change. */
  dueAt: Date | null;
}

/** A decision with its actor, time and reason, which can be undone until it takes effect. */
export interface HeldDecision extends Attribution {
  command: Command<DecisionName>;
  takesEffectAt: Date;
  /** The decision about many contributions of which it is a part. */
  group?: DecidedGroup;
}

/** A decision about many contributions at once. */
export interface DecidedGroup {
  id: string;
  /** Whether the access of the agents ends with it. */
  endsAgent: boolean;
}

/** The mails that a human can receive about a contribution (gateway/PROTOCOL.md#states). */
export type Notice = 'received' | 'edited' | 'edit_proposed' | DecisionNotice;

/** Restores the contribution as it was in the first response, for a replay. */
export function asFirstResponse(contribution: Contribution): Contribution {
  const { submittedAt, history, textChanges } = contribution;
  const first = { ...textChanges[0]?.before, updatedAt: submittedAt, history: history.slice(0, 1) };
  return { ...contribution, ...untouched, ...first };
}

/** What is true of a contribution until somebody decides or looks. */
export const untouched = {
  state: 'pending_review',
  reviewedAt: null,
  reason: '',
  note: '',
  answer: '',
  publishedAt: null,
  revision: 1,
  textChanges: [],
  publication: null,
  catalogRevision: 0,
  held: null,
  proposal: null,
  looks: [],
  agentEnd: null,
} satisfies Partial<Contribution>;

/** What its human or its agent decides. It takes effect at once. */
const ownChanges = {
  withdraw: { from: waitingStates, to: 'withdrawn' },
  /** The human takes the contribution down and gives no reason. */
  take_down: {
    from: ['approved', 'published'],
    to: 'retracted',
    isPublic: true,
    notice: 'retracted',
    catalog: 'retract',
  },
} as const satisfies Readonly<Record<string, StateChange>>;

/** A change of a contribution that a moderator, its human or the service can request. */
export interface Command<Kind = DecisionName | keyof typeof ownChanges>
  extends Readonly<Partial<Record<Exclude<InputName, 'reason'>, string>>> {
  readonly kind: Kind;
}

/** The rule of each command. */
export const stateChanges: Readonly<Record<Command['kind'], StateChange>> = { ...decisions, ...ownChanges };

/** Whether a moderator decides it. Agent, human and the end of an authorization do not wait for a held decision. */
export function isDecision(command: Command): command is Command<DecisionName> {
  return Object.hasOwn(decisions, command.kind);
}

/** Names a command in plain words, for messages. */
export function commandWords({ kind }: Command): string {
  return kind.replaceAll('_', ' ');
}

export interface AuthorizationEnd {
  at: Date;
  /** The actor: `human`, `agent`, `system`, or `support` followed by a name. */
  by: string;
}

/** The error if an authorization ended after its token was checked, so that its contribution is refused. */
export function accessEndedError(): KnowledgeError {
  return new KnowledgeError('invalid_token', 'This access has ended; ask for a new one only if your human wants it.');
}

/** Converts an e-mail to ASCII and lower case. The plus-tag stays (gateway/PROTOCOL.md#ownership). */
export function foldEmail(email: string): string {
  return asciiAddress(email).toLowerCase();
}
