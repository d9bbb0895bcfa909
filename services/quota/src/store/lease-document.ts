import type { LeasedUnit, LeaseTurn } from '../domain/lease.js';

/** The collection of leases. */
export const leasesName = 'leases';

/** A lease as it is stored; a settled one has no units. */
export interface LeaseDocument {
  _id: string;
  turn: number;
  units?: { id: string; keys: string[] }[];
  /** Only of those with units, for the index that finds them. */
  open?: true;
  /** When the document may be cleaned up. The same all day, so that its index is left alone. */
  expiresAt: Date;
}

const dayMs = 86_400_000;

/** The document of a turn. */
export function toLease({ id, turn }: LeaseTurn, units: readonly LeasedUnit[], now: number): LeaseDocument {
  const open = units.map(({ id, keys }) => ({ id, keys: [...keys] }));
  const expiresAt = new Date(now - (now % dayMs) + 3 * dayMs);
  return { _id: id, turn, ...(open.length > 0 && { units: open, open: true as const }), expiresAt };
}
