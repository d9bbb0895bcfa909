import type { Authorization } from './authorization.js';
import type { Token } from './token.js';
import { actors, type Transition } from './transition.js';

/** Who ended something, as its human may know it: of our people only that it was support. */
export type EndedBy = 'human' | 'agent' | 'support' | 'system';

/** The last transition of a request, if that ended it or its access. */
export function endOf({ history, state }: Pick<Authorization, 'history' | 'state'>): Transition | undefined {
  const ended = state === 'declined' || state === 'revoked' || state === 'expired';
  return ended ? history.at(-1) : undefined;
}

/** @returns `support` for whoever is none of the actors without a name. */
export function endedBy(actor: string): EndedBy {
  if (actor === actors.human || actor === actors.agent || actor === actors.system) return actor;
  return 'support';
}

/** Who ended a token; empty if nobody did. */
export function tokenEndedBy({ state, history }: Pick<Token, 'state' | 'history'>): string {
  if (state === 'renewed') return 'renewal';
  return state === 'revoked' ? endedBy(history.at(-1)?.actor ?? '') : '';
}
