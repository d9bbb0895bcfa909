import type { Authorization } from './authorization.js';
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
