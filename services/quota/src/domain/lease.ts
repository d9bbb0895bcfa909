/** One turn of a caller's lease: what is counted under it is given back unless the caller settles it. */
export interface LeaseTurn {
  readonly id: string;
  /** From 1; a higher one takes the place of the one before. */
  readonly turn: number;
  /** Whether it settles the turn before. */
  readonly settlesEarlier: boolean;
}

/** A turn that is open or was. */
export type TurnName = Pick<LeaseTurn, 'id' | 'turn'>;

/** What became of a turn. */
export interface Settlement extends TurnName {
  /** The ids of the units that nobody received. */
  readonly undelivered: readonly string[];
}

/** A unit that is counted under a lease, and the keys of its tallies. */
export interface LeasedUnit {
  readonly id: string;
  readonly keys: readonly string[];
}

/** What leases need of a database. */
export interface LeaseStore {
  /** Opens a turn, before anything is counted under it. One that stays as it is, is open or settled already. */
  open(turn: LeaseTurn, units: readonly LeasedUnit[], signal: AbortSignal): Promise<void>;
  /** Settles turns; one that is settled or followed by another stays as it is. */
  settle(settlements: readonly Settlement[], signal: AbortSignal): Promise<void>;
  /** Turns that are open, not necessarily all. */
  listOpen(signal: AbortSignal): Promise<TurnName[]>;
  /** Gives back every unit of a turn that is still open, each once, and forgets the turn. Gives the units. */
  giveBack(turn: TurnName, signal: AbortSignal): Promise<readonly LeasedUnit[]>;
}
