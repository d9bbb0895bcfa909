import type { Db } from 'mongodb';
import type { ContributionDocument } from './documents.js';

/** Finds the decisions that take effect later. */
export interface HeldDecisionStore {
  /** The contributions whose held decisions take effect next, the earliest first. */
  next(most: number, signal: AbortSignal): Promise<{ id: string; takesEffectAt: Date }[]>;
}

export function createHeldDecisionStore(db: Db): HeldDecisionStore {
  const contributions = db.collection<ContributionDocument>('contributions');

  return {
    async next(most, signal) {
      const held = { 'held.takesEffectAt': { $type: 'date' } } as const;
      const projection = { 'held.takesEffectAt': 1 };
      const options = { signal, projection, sort: { 'held.takesEffectAt': 1 }, limit: most } as const;
      const found = await contributions.find(held, options).toArray();
      return found.flatMap(({ _id: id, held }) => (held ? [{ id, takesEffectAt: held.takesEffectAt }] : []));
    },
  };
}
