/** One change of state, as it is kept with its subject: who, when and why. */
export interface Transition {
  /** Empty for a thing just made. */
  from: string;
  to: string;
  actor: string;
  at: Date;
  reason: string;
  revision: number;
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

/** Why something changes, and by whom. */
export interface Act {
  actor: string;
  at: Date;
  reason: string;
  /** Of the end of a grant: whether what waits for review is withdrawn. */
  withdrawWaiting?: boolean;
}
