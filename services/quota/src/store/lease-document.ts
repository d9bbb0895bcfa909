import type { LeasedUnit, LeaseTurn } from '../domain/lease.js';

/** The collection of leases. */
export const leasesName = 'leases';

/** A stored lease. A settled lease has no units. */
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

export function toLease({ id, turn }: LeaseTurn, units: readonly LeasedUnit[], now: number): LeaseDocument {
  const open = units.map(({ id, keys }) => ({ id, keys: [...keys] }));
  const expiresAt = new Date(now - (now % dayMs) + 3 * dayMs);
  return { _id: id, turn, ...(open.length > 0 && { units: open, open: true as const }), expiresAt };
}
