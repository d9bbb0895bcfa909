import { rules } from './rules.js';

/** The reasons in the history for withdrawals that nobody chose for this one contribution. */
export const withdrawalReasons = {
  /** The end of an authorization withdraws what waits. */
  accessEnded: 'access ended',
  /** No new text came after a moderator asked for changes. */
  noNewText: `no new text within ${rules.changesDays} days`,
} as const;
