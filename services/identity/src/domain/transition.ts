import type { Transition as StoredTransition } from '@knowledge/runtime';

export interface Transition extends StoredTransition {
  /** Whether this end also withdraws the contributions that wait for review. */
  withdrawWaiting?: boolean;
}

/** The actors that are not members of a team. */
export const actors = {
  agent: 'agent',
  /** The human, who acts with a confirmation code or an access key. */
  human: 'human',
  /** Housekeeping, which ends things at their time. */
  system: 'system',
} as const;
