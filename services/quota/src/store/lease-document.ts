import type { LeasedUnit, TurnName } from '../domain/lease.js';
import type { Statement } from './statements.js';

/**
 * A stored lease. A settled lease has no units. It is in the collection of the counters, so that one command opens a turn
 * and counts its units.
 */
export interface LeaseDocument {
  _id: string;
  turn: number;
  units?: { id: string; keys: string[] }[];
  /** Set while the lease has units. The index of open leases uses it. */
  open?: true;
  /**
   * The time when MongoDB may delete the document. It stays the same all day, so that updates do not
   * change its index.
   */
  expiresAt: Date;
}

const dayMs = 86_400_000;

export function toLease({ id, turn }: TurnName, units: readonly LeasedUnit[], now: number): LeaseDocument {
  const open = units.map(({ id, keys }) => ({ id, keys: [...keys] }));
  const expiresAt = new Date(now - (now % dayMs) + 3 * dayMs);
  return { _id: leaseKey(id), turn, ...(open.length > 0 && { units: open, open: true as const }), expiresAt };
}

// No policy has this name, so no counter has such a key.
const prefix = 'lease:';

export function leaseKey(id: string): string {
  return `${prefix}${id}`;
}

export function leaseIdOf({ _id }: Pick<LeaseDocument, '_id'>): string {
  return _id.slice(prefix.length);
}

/** Opens a turn. It fails as a duplicate if the lease has this turn already, or a later one. */
export function opening({ _id, ...lease }: LeaseDocument): Statement {
  return { q: { _id, turn: { $lt: lease.turn } }, u: lease, upsert: true };
}
