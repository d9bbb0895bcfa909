import type { ContributionStep } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { Contribution, ContributionState } from '../domain/contribution.js';
import type { Transition } from '../domain/transition.js';
import { presentState } from './wire-states.js';

/** What became of a contribution, for its human: reasons that were written for moderators stay out. */
export function presentSteps({ history }: Contribution): ContributionStep[] {
  return history.map((transition) => {
    const state = transition.to as ContributionState;
    const by = whoOf(transition.actor);
    const told = toldOf[state] && (by === 'moderator' || state === 'withdrawn');
    return { state: presentState(state), occurredAt: transition.at, by, reason: told ? transition.reason : '' };
  });
}

/** In which states the reason of a change was written for its human. */
const toldOf: Readonly<Record<ContributionState, boolean>> = {
  pending_review: false,
  approved: false,
  published: false,
  retracted: true,
  rejected: true,
  withdrawn: true,
  answered: false,
  closed: true,
};

/** Who made a change, in a word; whoever is none of the others is a moderator. */
function whoOf(actor: Transition['actor']): string {
  if (actor === 'human' || actor === 'agent' || actor === 'system') return actor;
  if (/^support\b/.test(actor)) return 'support';
  return /^(?:token:|contributor$)/.test(actor) ? 'agent' : 'moderator';
}
