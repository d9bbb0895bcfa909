import { type Attribution, actors, isNoMember, later, type OutboxMail, type Site } from '@knowledge/runtime';
import type { Scope } from '@knowledge/runtime/product';
import { keptAfterEndMs, type Token, type Transition } from './token.js';

/**
 * The states of an authorization: `pending → confirmed → issued → renewed`, `pending → declined`, `pending | confirmed
 * → expired` and `pending | confirmed | issued → revoked`. If the human ends a pending authorization, it is declined;
 * if another actor ends it, it is revoked. An `erased` document is deleted when its last transition is in the log.
 */
export const authorizationStates = [
  'pending',
  'confirmed',
  'declined',
  'issued',
  'expired',
  'revoked',
  'renewed',
  'erased',
] as const;
export type AuthorizationState = (typeof authorizationStates)[number];

export type Decision = 'confirm' | 'decline';

/** Where the human must type the user code: never, only on the page, or with every confirmation. */
export const userCodeRules = ['never', 'page', 'always'] as const;
export type UserCodeRule = (typeof userCodeRules)[number];

/** The stored fields of one mailed confirmation code. The code itself is never stored (SECURITY.md#confirmation). */
export interface MailedCode {
  /** The mail with the link. `attempt` is the number of the attempt to send it. */
  mailId: string;
  attempt: number;
  hash: string;
  /**
   * The code expires at this time. Its lifetime begins with the attempt, and begins again when the mail server accepts
   * the mail.
   */
  goodUntil: Date;
  /** The salt from which, with the code, the access key is derived. Only the hash of the key is stored. */
  keySalt: string;
  keyHash: string;
}

/** The token of an authorization. There is at most one. */
interface Grant {
  tokenId: string;
  tokenHash: string;
  /** With this salt the token can be derived again from the device code. Null when that is no longer allowed. */
  salt: string | null;
  issuedAt: Date;
  redeliverUntil: Date;
}

/** The earlier token that a new authorization replaces. */
interface Renewal {
  tokenId: string;
  /** The agent's name in the earlier authorization. */
  agentName: string;
}

/** An authorization with its codes, mails and transitions, stored as one document (SECURITY.md#confirmation). */
export interface Authorization {
  id: string;
  /** The id of the first authorization in the renewal chain, the root. Contributions refer to this id. */
  rootAuthorizationId: string;
  renews: Renewal | null;
  /** The e-mail in lower case with its plus-tag. It never changes. */
  email: string;
  agentName: string;
  scopes: Scope[];
  purpose: string;
  site: Site;
  /** Who began the authorization: an agent with a request, or support with a token that it issued directly. */
  origin: 'agent' | 'support';
  state: AuthorizationState;
  createdAt: Date;
  expiresAt: Date;
  decision: Decision | null;
  decidedAt: Date | null;
  /** The agent can fetch the token until this time. */
  pickUpUntil: Date | null;
  /** The code that the human compares. It is empty if the human must type it; then only its hash is stored. */
  userCode: string;
  userCodeHash: string | null;
  userCodeRule: UserCodeRule;
  wrongUserCodes: number;
  /** Hashes of the device codes. If a request is repeated after a lost response, another one is added. */
  deviceHashes: string[];
  lastPolledAt: Date | null;
  codes: MailedCode[];
  grant: Grant | null;
  mails: Mail[];
  mailsDueAt: Date | null;
  /** The next time when housekeeping must change something: an expiry, or the removal of the salt. */
  timerAt: Date | null;
  history: Transition[];
  /** Increases with every change except those of mails, codes and polls. */
  revision: number;
  purgeAt: Date;
}

/** The changed fields of an authorization, except the revision, with the transition and the mail to store. */
export interface AuthorizationChange {
  set: Partial<Authorization>;
  transition?: Transition;
  /** A mail that the change causes. */
  mail?: Mail;
}

/** The state at a given time. It is `expired` when the time has passed, even if the database does not say so yet. */
export function stateAt(authorization: Authorization, now: Date): AuthorizationState {
  const { state, expiresAt, pickUpUntil } = authorization;
  if (state === 'pending' && expiresAt <= now) return 'expired';
  if (state === 'confirmed' && pickUpUntil !== null && pickUpUntil <= now) return 'expired';
  return state;
}

/** Makes a change to another state, together with its transition. */
export function changeState(
  authorization: Pick<Authorization, 'state' | 'revision'>,
  to: AuthorizationState,
  act: Attribution,
  set: Partial<Authorization>,
): AuthorizationChange {
  const { state: from, revision } = authorization;
  return { set: { ...set, state: to }, transition: { from, to, ...act, revision: revision + 1 } };
}

/** The time when an ended authorization is deleted (gateway/PROTOCOL.md#personal-data). */
export function purgeAfter(end: Date): Date {
  return later(end, keptAfterEndMs);
}

/** A mail of an authorization or of an access key. */
export type Mail = OutboxMail<
  'confirmation' | 'welcome' | 'issued' | 'ended' | 'link' | 'new_link' | 'block_link' | 'blocked'
>;

/** Describes to the human who ended an access. The name of a member of support is not shown. */
export type EndedBy = 'human' | 'agent' | 'support' | 'system';

/** The transition that ended an authorization or its access; undefined if it has not ended. */
export function endTransitionOf({ history, state }: Pick<Authorization, 'history' | 'state'>): Transition | undefined {
  const ended = state === 'declined' || state === 'revoked' || state === 'expired';
  return ended ? history.at(-1) : undefined;
}

/** Describes an actor. Any actor that is not human, agent or system is a member of support. */
export function endedBy(actor: string): EndedBy {
  return isNoMember(actor) ? actor : 'support';
}

/** Describes who ended a token; empty if the token has not ended or has expired. */
export function tokenEndedBy({ state, history }: Pick<Token, 'state' | 'history'>): string {
  if (state === 'renewed') return 'renewal';
  return state === 'revoked' ? endedBy(history.at(-1)?.actor ?? '') : '';
}

/**
 * Ends a grant, even if its token was not fetched yet. The token can never be derived again. If a pending authorization
 * ends, the human declines it or another actor revokes it. Undefined if everything has already ended.
 */
export function revokeGrant(authorization: Authorization, act: Attribution): AuthorizationChange | undefined {
  const set = { timerAt: null, purgeAt: purgeAfter(act.at) };
  switch (stateAt(authorization, act.at)) {
    case 'pending':
      if (act.actor !== actors.human) return changeState(authorization, 'revoked', act, set);
      return changeState(authorization, 'declined', act, { ...set, decision: 'decline', decidedAt: act.at });
    case 'confirmed':
      return changeState(authorization, 'revoked', act, set);
    case 'issued':
      return changeState(authorization, 'revoked', act, { ...set, grant: withoutSalt(authorization) });
    case 'declined':
    case 'expired':
    case 'revoked':
    case 'renewed':
    case 'erased':
      return undefined;
  }
}

/** Ends a grant because its renewal now has a token. Undefined if this grant has no token or has ended. */
export function replaceGrant(authorization: Authorization, act: Attribution): AuthorizationChange | undefined {
  if (stateAt(authorization, act.at) !== 'issued') return undefined;
  const set = { timerAt: null, purgeAt: purgeAfter(act.at), grant: withoutSalt(authorization) };
  return changeState(authorization, 'renewed', act, set);
}

function withoutSalt({ grant }: Authorization): Authorization['grant'] {
  return grant && { ...grant, salt: null };
}

/**
 * The change that housekeeping must make to an authorization at this time. The authorization expires, or the salt of
 * its token is removed (gateway/PROTOCOL.md#token-exchange). Undefined if nothing is due.
 */
export function dueChange(authorization: Authorization, now: Date): AuthorizationChange | undefined {
  const { state, timerAt, grant } = authorization;
  if (timerAt === null || timerAt > now) return undefined;
  const set = { timerAt: null, purgeAt: purgeAfter(timerAt) };
  switch (state) {
    case 'pending':
      return changeState(authorization, 'expired', byTime(timerAt, 'Nobody decided in time.'), set);
    case 'confirmed':
      return changeState(authorization, 'expired', byTime(timerAt, 'The agent did not fetch its token in time.'), set);
    case 'issued':
      return { set: { timerAt: null, grant: grant && { ...grant, salt: null } } };
    case 'declined':
    case 'expired':
    case 'revoked':
    case 'renewed':
    case 'erased':
      return { set: { timerAt: null } };
  }
}

function byTime(at: Date, reason: string) {
  return { actor: actors.system, at, reason };
}
