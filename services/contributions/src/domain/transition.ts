/** One change of state, stored for ever with the thing that changed. */
export interface Transition {
  /** Empty for a thing just made. */
  from: string;
  to: string;
  /** Who did it. */
  actor: string;
  at: Date;
  /** In the actor's words; empty when none was given. */
  reason: string;
  /** The revision that the change made. */
  revision: number;
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
