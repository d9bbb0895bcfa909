/** Who asks for a change, when and why. */
export interface Act {
  readonly actor: string;
  readonly at: Date;
  /** In the actor's words; empty when none was given. */
  readonly reason: string;
}

/** One change of state, as it is stored for ever. */
export interface Transition extends Act {
  /** Empty for a thing just made. */
  readonly from: string;
  readonly to: string;
  /** The revision that the change made. */
  readonly revision: number;
  /** Of a deletion: the request that asked for it. */
  readonly requestId?: string;
}
