/** One turn of a caller's lease. Units counted under it are given back unless the caller settles it. */
export interface LeaseTurn {
  readonly id: string;
  /** Starts at 1. A higher turn replaces the one before. */
  readonly turn: number;
  /** Whether it also settles the turn before. */
  readonly settlesEarlier: boolean;
}

/** Identifies a turn, open or not. */
export type TurnName = Pick<LeaseTurn, 'id' | 'turn'>;

/** Says that a turn is over, and which of its units nobody received. */
export interface Settlement extends TurnName {
  /** The ids of units that nobody received. */
  readonly undelivered: readonly string[];
}

/** A unit that is counted under a lease, and the keys of its counters. */
export interface LeasedUnit {
  readonly id: string;
  readonly keys: readonly string[];
}

export interface LeaseStore {
  /** Opens a turn before anything is counted under it. If that turn or a later one exists, nothing changes. */
  open(turn: LeaseTurn, units: readonly LeasedUnit[], signal: AbortSignal): Promise<void>;
  /** Settles turns. A turn that is settled or replaced does not change. */
  settle(settlements: readonly Settlement[], signal: AbortSignal): Promise<void>;
  /** Open turns, not necessarily all. */
  listOpen(signal: AbortSignal): Promise<TurnName[]>;
  /** Gives back each unit of an open turn once, then deletes the turn. Returns the units. */
  giveBack(turn: TurnName, signal: AbortSignal): Promise<readonly LeasedUnit[]>;
}
