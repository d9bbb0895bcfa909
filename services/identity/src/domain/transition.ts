import type { Transition as StoredTransition } from '@knowledge/runtime';

/** One change of state. */
export interface Transition extends StoredTransition {
  /** Of the end of a grant: whether what waits for review is withdrawn. */
  withdrawWaiting?: boolean;
}

/** Who acts where no person of ours does. */
export const actors = {
  /** The agent that asked. */
  agent: 'agent',
  /** The human, by the mailed link or by their own. */
  human: 'human',
  /** Time. */
  system: 'system',
} as const;
