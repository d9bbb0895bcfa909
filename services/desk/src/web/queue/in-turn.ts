import type { ContributionView } from '../../present/contribution.js';

/** The items of a list page that still need a decision, in the order in which one moderator takes them. */
export interface InTurn {
  /** Nobody else has these open. */
  readonly free: readonly ContributionView[];
  /** Colleagues have these open. */
  readonly taken: readonly ContributionView[];
}

/** Begins with the items after `after`; those before it come last. */
export function inTurn(entries: readonly ContributionView[], after: string | undefined, actor: string): InTurn {
  const at = entries.findIndex(({ id }) => id === after);
  const undecided = [...entries.slice(at + 1), ...entries.slice(0, at + 1)].filter(
    ({ id, held }) => held === null && id !== after,
  );
  const isTaken = ({ open_by }: ContributionView): boolean => open_by.some((each) => each.actor !== actor);
  return { free: undecided.filter((each) => !isTaken(each)), taken: undecided.filter(isTaken) };
}
