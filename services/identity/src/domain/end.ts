import type { Attribution } from '@knowledge/runtime';
import { type Authorization, type AuthorizationChange, changeState, purgeAfter, stateAt } from './authorization.js';
import type { Token } from './token.js';
import { actors, type Transition } from './transition.js';

/** Describes to the human who ended an access. The name of a member of support is not shown. */
export type EndedBy = 'human' | 'agent' | 'support' | 'system';

/** The transition that ended an authorization or its access; undefined if it has not ended. */
export function endTransitionOf({ history, state }: Pick<Authorization, 'history' | 'state'>): Transition | undefined {
  const ended = state === 'declined' || state === 'revoked' || state === 'expired';
  return ended ? history.at(-1) : undefined;
}

/** Describes an actor. Any actor that is not human, agent or system is a member of support. */
export function endedBy(actor: string): EndedBy {
  if (actor === actors.human || actor === actors.agent || actor === actors.system) return actor;
  return 'support';
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
