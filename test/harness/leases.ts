import type { System } from './system.js';

/** Counts the turns of leases that are open. */
export function openLeases(system: System): Promise<number> {
  return system.db('quota').collection('counters').countDocuments({ open: true });
}
