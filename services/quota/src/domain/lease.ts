/** One turn of a caller's lease. Units that are counted under it are given back, unless the caller settles the turn. */
export interface LeaseTurn {
  readonly id: string;
  /** The number of the turn, from 1. A higher turn replaces the previous one. */
  readonly turn: number;
  /** Whether opening this turn also settles the previous one. */
  readonly settlesEarlier: boolean;
}

/** The lease and number of a turn, whether it is open or not. */
export type TurnName = Pick<LeaseTurn, 'id' | 'turn'>;

/** Ends a turn, and lists the units that nobody received. */
export interface Settlement extends TurnName {
  /** The ids of the units that nobody received. They are given back. */
  readonly undelivered: readonly string[];
}

/** A unit that was counted under a lease, with the keys of its counters. */
export interface LeasedUnit {
  readonly id: string;
  readonly keys: readonly string[];
}

export interface LeaseStore {
  /** Opens a turn before its units are counted. Changes nothing if this turn or a later one exists. */
  open(turn: LeaseTurn, units: readonly LeasedUnit[], signal: AbortSignal): Promise<void>;
  /** Settles turns. Ignores a turn that is already settled or replaced. */
  settle(settlements: readonly Settlement[], signal: AbortSignal): Promise<void>;
  /** Lists open turns. The list has a maximum length. */
  listOpen(signal: AbortSignal): Promise<TurnName[]>;
  /** Gives back each unit of an open turn once, and then deletes the turn. Returns the units. */
  giveBack(turn: TurnName, signal: AbortSignal): Promise<readonly LeasedUnit[]>;
}
