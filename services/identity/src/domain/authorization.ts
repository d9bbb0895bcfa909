import type { Attribution, Site } from '@knowledge/runtime';
import type { Scope } from '@knowledge/runtime/product';
import type { Mail } from './mail.js';
import { keptAfterEndMs } from './token.js';
import type { Transition } from './transition.js';

/**
 * The transitions are `pending → confirmed → issued → renewed`, `pending → declined`, `pending | confirmed → expired`
 * and `pending | confirmed | issued → revoked`. A human who ends a pending one declines it; anybody else revokes it.
 * `erased` marks a document that is deleted once the transition log has its last transition.
 */
export type AuthorizationState =
  | 'pending'
  | 'confirmed'
  | 'declined'
  | 'issued'
  | 'expired'
  | 'revoked'
  | 'renewed'
  | 'erased';

export type Decision = 'confirm' | 'decline';

/** Where the human must type the user code: nowhere, on the page, or with every confirmation. */
export type UserCodeRule = 'never' | 'page' | 'always';

/** The confirmation code of one mailed link, without the code itself (SECURITY.md#confirmation). */
export interface MailedCode {
  /** The mail with the link, and the number of the attempt to send it. */
  mailId: string;
  attempt: number;
  hash: string;
  /**
   * Until the mail server accepts the mail, this counts from the start of the attempt; afterwards from the acceptance.
   */
  goodUntil: Date;
  /** The access key is derived from this salt and the code. Only its hash is stored. */
  keySalt: string;
  keyHash: string;
}

/** The only token of an authorization. */
interface Grant {
  tokenId: string;
  tokenHash: string;
  /** The token can be derived again from the device code and this salt. Null once that is over. */
  salt: string | null;
  issuedAt: Date;
  redeliverUntil: Date;
}

/** The earlier access that an authorization renews. */
interface Renewal {
  tokenId: string;
  /** The agent's name in that earlier access. */
  agentName: string;
}

/** An authorization with all that belongs to it, stored as one document (SECURITY.md#confirmation). */
export interface Authorization {
  id: string;
  /** The id of the root: the first authorization of a renewal chain. Contributions belong to it. */
  lineId: string;
  renews: Renewal | null;
  /** In lower case, with its plus-tag; never changes. */
  email: string;
  agentName: string;
  scopes: Scope[];
  purpose: string;
  site: Site;
  /** Whether an agent requested it, or support issued the token directly. */
  origin: 'agent' | 'support';
  state: AuthorizationState;
  createdAt: Date;
  expiresAt: Date;
  decision: Decision | null;
  decidedAt: Date | null;
  /** The end of the time in which the agent can fetch the token. */
  pickUpUntil: Date | null;
  /** The code that the human compares. Empty where the human must type it; then only its hash is stored. */
  userCode: string;
  userCodeHash: string | null;
  userCodeRule: UserCodeRule;
  wrongUserCodes: number;
  /** Hashes of the device codes. A request that is repeated after a lost response adds another one. */
  deviceHashes: string[];
  lastPolledAt: Date | null;
  codes: MailedCode[];
  /** Hashes of the access keys in its mails. */
  accessKeyHashes: string[];
  grant: Grant | null;
  mails: Mail[];
  mailsDueAt: Date | null;
  /** The next time at which the clock changes something: an expiry, or the removal of the salt. */
  timerAt: Date | null;
  history: Transition[];
  /** Increases with every change, except for those of mails, codes and polls. */
  revision: number;
  purgeAt: Date;
}

/** The new fields of an authorization, except for its revision, and what is recorded with them. */
export interface AuthorizationChange {
  set: Partial<Authorization>;
  transition?: Transition;
  /** A mail to send because of the change. */
  mail?: Mail;
}

/** The state at a point in time. It is `expired` as soon as the time is over, even before the database says so. */
export function stateAt(authorization: Authorization, now: Date): AuthorizationState {
  const { state, expiresAt, pickUpUntil } = authorization;
  if (state === 'pending' && expiresAt <= now) return 'expired';
  if (state === 'confirmed' && pickUpUntil !== null && pickUpUntil <= now) return 'expired';
  return state;
}

/** Builds the change to another state with its transition. */
export function changeState(
  authorization: Pick<Authorization, 'state' | 'revision'>,
  to: AuthorizationState,
  act: Attribution,
  set: Partial<Authorization>,
): AuthorizationChange {
  const { state: from, revision } = authorization;
  return { set: { ...set, state: to }, transition: { from, to, ...act, revision: revision + 1 } };
}

/** The time at which something that ended is deleted (gateway/PROTOCOL.md#personal-data). */
export function purgeAfter(end: Date): Date {
  return new Date(end.getTime() + keptAfterEndMs);
}
