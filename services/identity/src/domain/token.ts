import type { Act } from '@knowledge/runtime';
import { KnowledgeError } from '@knowledge/runtime';
import { rules, type Scope } from '@knowledge/runtime/product';
import { actors, type Transition } from './transition.js';

/** How long a token lives, and how long what has ended is kept (gateway/PROTOCOL.md#personal-data). */
export const tokenLifeMs = rules.tokenDays * 86_400_000;
export const keptAfterEndMs = rules.keptAfterEndDays * 86_400_000;

type TokenState = 'active' | 'revoked' | 'renewed' | 'expired' | 'erased';

/** A write token as it is kept; the token itself is not. */
export interface Token {
  /** The SHA-256 of the token. */
  hash: string;
  id: string;
  /** The request that it comes from. */
  authorizationId: string;
  /** The first of the authorizations that renew each other; contributions belong to it. */
  lineId: string;
  /** The verified e-mail, case folded. */
  email: string;
  agentName: string;
  scopes: Scope[];
  state: TokenState;
  createdAt: Date;
  expiresAt: Date;
  /** To the minute; written a little later, so a crash may lose the last few minutes. */
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  history: Transition[];
  /** When it is deleted. */
  purgeAt: Date;
}

/** What a new token says. */
export type NewToken = Pick<Token, 'hash' | 'id' | 'authorizationId' | 'lineId' | 'email' | 'agentName' | 'scopes'>;

/** A token as it is when it is made. */
export function newToken(token: NewToken, { actor, at, reason }: Act): Token {
  const expiresAt = new Date(at.getTime() + tokenLifeMs);
  return {
    ...token,
    state: 'active',
    createdAt: at,
    expiresAt,
    lastUsedAt: null,
    revokedAt: null,
    history: [{ from: '', to: 'active', actor, at, reason, revision: 1 }],
    purgeAt: new Date(expiresAt.getTime() + keptAfterEndMs),
  };
}

/** Whether it opens anything now. */
export function isValid(token: Pick<Token, 'state' | 'expiresAt'>, now: Date): boolean {
  return token.state === 'active' && token.expiresAt > now;
}

/** What a token that opens nothing is answered with: an agent does not ask again where its human said stop. */
export function invalidToken(token?: Pick<Token, 'state' | 'history'>): KnowledgeError {
  const endedByHuman = token?.state === 'revoked' && token.history.at(-1)?.actor === actors.human;
  return new KnowledgeError(
    'invalid_token',
    endedByHuman
      ? 'Your human ended the access of this token; ask for a new one only if they want you to.'
      : 'The token is expired, revoked or unknown; ask your human for a new one.',
  );
}

/** What ends a token: the fields that change, and the transition. */
export interface TokenEnd {
  set: Pick<Token, 'state' | 'revokedAt' | 'purgeAt'>;
  transition: Transition;
}

/** The revocation of a token; undefined if it has ended already. */
export function revoke(token: Token, act: Act): TokenEnd | undefined {
  return isValid(token, act.at) ? end(token, 'revoked', act, act.at) : undefined;
}

/** The end of a token that a newer one replaces; undefined if it has ended already. */
export function replace(token: Token, act: Act): TokenEnd | undefined {
  return isValid(token, act.at) ? end(token, 'renewed', act, act.at) : undefined;
}

/** The expiry of a token at its time; undefined if that has not come, or it ended otherwise. */
export function expire(token: Token, { actor, at, reason }: Act): TokenEnd | undefined {
  if (token.state !== 'active' || token.expiresAt > at) return undefined;
  return end(token, 'expired', { actor, at: token.expiresAt, reason }, null);
}

function end(token: Token, state: TokenState, act: Act, revokedAt: Date | null): TokenEnd {
  return {
    set: { state, revokedAt, purgeAt: new Date(act.at.getTime() + keptAfterEndMs) },
    transition: { from: token.state, to: state, ...act, revision: token.history.length + 1 },
  };
}
