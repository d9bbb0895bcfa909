import type { Transition as StoredTransition } from '@knowledge/runtime/transition-log';

/** One change of state. */
export interface Transition extends StoredTransition {
  /** The request that asked for it, as in the logs; absent for what the clock did. */
  requestId?: string;
}

/** Who acts and when: what every change of state is made of. */
export interface Act {
  actor: string;
  now: Date;
  requestId?: string;
}

/** The actor of changes that the clock makes. */
export const clockActor = 'contributions/clock';
