import type { Transition as StoredTransition } from '@knowledge/runtime';

export interface Transition extends StoredTransition {
  /** Whether the end of this grant also withdraws the contributions that wait for review. */
  withdrawWaiting?: boolean;
}

/** The actors that are not members of our teams. */
export const actors = {
  agent: 'agent',
  /** The human, with a confirmation code or an access key. */
  human: 'human',
  /** The clock. */
  system: 'system',
} as const;
