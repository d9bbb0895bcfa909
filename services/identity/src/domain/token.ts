import {
  type Attribution,
  actors,
  KnowledgeError,
  later,
  type Transition as StoredTransition,
} from '@knowledge/runtime';
import { rules, type Scope } from '@knowledge/runtime/product';

export interface Transition extends StoredTransition {
  /** Whether this end also withdraws the contributions that wait for review. */
  withdrawWaiting?: boolean;
}

/** The time for which ended tokens are stored (gateway/PROTOCOL.md#personal-data). */
export const keptAfterEndMs = rules.keptAfterEndDays * 86_400_000;

export const tokenStates = ['active', 'revoked', 'renewed', 'expired', 'erased'] as const;

/** A stored token, without its secret. */
export interface Token {
  hash: string;
  id: string;
  authorizationId: string;
  /** The id of the root of the renewal chain. Contributions refer to this id. */
  rootAuthorizationId: string;
  /** The verified e-mail in lower case. */
  email: string;
  agentName: string;
  scopes: Scope[];
  state: (typeof tokenStates)[number];
  createdAt: Date;
  expiresAt: Date;
  /** The time of the last use, rounded down to the minute. It is stored up to 5 s later, so a crash can lose it. */
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  history: Transition[];
  purgeAt: Date;
}

export type NewToken = Pick<
  Token,
  'hash' | 'id' | 'authorizationId' | 'rootAuthorizationId' | 'email' | 'agentName' | 'scopes' | 'expiresAt'
>;

export function newToken(token: NewToken, { actor, at, reason }: Attribution): Token {
  return {
    ...token,
    state: 'active',
    createdAt: at,
    lastUsedAt: null,
    revokedAt: null,
    history: [{ from: '', to: 'active', actor, at, reason, revision: 1 }],
    purgeAt: later(token.expiresAt, keptAfterEndMs),
  };
}

/** Whether the token is active and has not expired. */
export function isValid(token: Pick<Token, 'state' | 'expiresAt'>, now: Date): boolean {
  return token.state === 'active' && token.expiresAt > now;
}

/** The error for a token that does not work. It says who ended the token, if that decides what the agent can do. */
export function invalidToken(token?: Pick<Token, 'state' | 'history'>): KnowledgeError {
  if (token?.state === 'renewed') return new KnowledgeError('invalid_token', renewedEnd);
  const endedBy = token?.state === 'revoked' ? token.history.at(-1)?.actor : undefined;
  return new KnowledgeError('invalid_token', endWords.get(endedBy ?? '') ?? otherEnd);
}

const renewedEnd = 'A renewal replaced this token; use the new one. Without it, ask your human for another.';
const otherEnd = 'The token is expired, revoked or unknown; ask your human for a new one.';
const endWords: ReadonlyMap<string, string> = new Map([
  [actors.human, 'Your human ended the access of this token; ask for a new one only if they want you to.'],
  [actors.agent, 'This token was given back, as you asked; if you need one again, ask your human.'],
]);

/** The fields to change and the transition to store when a token ends. */
export interface TokenEnd {
  set: Pick<Token, 'state' | 'revokedAt' | 'purgeAt'>;
  transition: Transition;
}

/** Revokes a token. Undefined if the token has already ended. */
export function revokeToken(token: Token, act: Attribution): TokenEnd | undefined {
  return isValid(token, act.at) ? end(token, 'revoked', act, act.at) : undefined;
}

/** Ends a token because a renewal replaces it. Undefined if the token has already ended. */
export function replaceToken(token: Token, act: Attribution): TokenEnd | undefined {
  return isValid(token, act.at) ? end(token, 'renewed', act, act.at) : undefined;
}

/** Ends a token at its expiry. Undefined before that time or if the token has already ended. */
export function expireToken(token: Token, { actor, at, reason }: Attribution): TokenEnd | undefined {
  if (token.state !== 'active' || token.expiresAt > at) return undefined;
  return end(token, 'expired', { actor, at: token.expiresAt, reason }, null);
}

function end(token: Token, state: Token['state'], act: Attribution, revokedAt: Date | null): TokenEnd {
  return {
    set: { state, revokedAt, purgeAt: later(act.at, keptAfterEndMs) },
    transition: { from: token.state, to: state, ...act, revision: token.history.length + 1 },
  };
}
