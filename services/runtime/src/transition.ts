/** Who makes a change, when and why. */
export interface Act {
  readonly actor: string;
  readonly at: Date;
  /** In the actor's words; empty when none was given. */
  readonly reason: string;
  /** The request that asked for the change, where a repeat of it must be known; absent for what the clock does. */
  readonly requestId?: string;
}

/** One change of state, stored for ever with the thing that changed. */
export interface Transition extends Act {
  /** Empty for a thing just made. */
  readonly from: string;
  readonly to: string;
  /** The revision that the change made. */
  readonly revision: number;
}
