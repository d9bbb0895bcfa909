import type { ContributionState, ContributionType } from './contribution.js';

/** All states of a contribution. A new state must be listed here before this compiles. */
export const contributionStates = keysOf<ContributionState>({
  pending_review: 0,
  changes_requested: 0,
  approved: 0,
  published: 0,
  retracted: 0,
  rejected: 0,
  withdrawn: 0,
  answered: 0,
  closed: 0,
});

/** All types of a contribution. */
export const contributionTypes = keysOf<ContributionType>({ inquiry: 0, story: 0, prompt_reply: 0 });

function keysOf<Key extends string>(all: Readonly<Record<Key, 0>>): readonly Key[] {
  return Object.keys(all) as Key[];
}
