import type { Db } from 'mongodb';
import type { ContributionDocument } from './documents.js';

/** Finds the decisions that take effect later. */
export interface HeldDecisionStore {
  /** The contributions whose held decisions take effect next, the earliest first. */
  next(most: number, signal: AbortSignal): Promise<{ id: string; takesEffectAt: Date }[]>;
  /** The contributions with held decisions of one group. */
  ofGroup(groupId: string, signal: AbortSignal): Promise<{ id: string }[]>;
  /** The groups with held decisions, the newest first, at most 20. */
  groups(signal: AbortSignal): Promise<HeldGroup[]>;
}

/** What the held decisions of a group have in common. */
export interface HeldGroup {
  readonly groupId: string;
  readonly contributions: number;
  readonly actor: string;
  readonly takesEffectAt: Date;
  readonly reason: string;
}

export function createHeldDecisionStore(db: Db): HeldDecisionStore {
  const contributions = db.collection<ContributionDocument>('contributions');

  const held = { 'held.takesEffectAt': { $type: 'date' } } as const;

  return {
    async ofGroup(groupId, signal) {
      const found = await contributions
        .find({ ...held, 'held.group.id': groupId }, { signal, hint: 'held_due' })
        .toArray();
      return found.map(({ _id: id }) => ({ id }));
    },
    groups: (signal) =>
      contributions
        .aggregate<HeldGroup>(
          [
            { $match: { ...held, 'held.group.id': { $exists: true } } },
            { $group: { _id: '$held.group.id', contributions: { $sum: 1 }, held: { $first: '$held' } } },
            { $sort: { 'held.takesEffectAt': -1 } },
            { $limit: 20 },
            { $replaceWith: { $mergeObjects: ['$held', { groupId: '$_id', contributions: '$contributions' }] } },
          ],
          { signal, hint: 'held_due' },
        )
        .toArray(),
    async next(most, signal) {
      const projection = { 'held.takesEffectAt': 1 };
      const options = { signal, projection, sort: { 'held.takesEffectAt': 1 }, limit: most } as const;
      const found = await contributions.find(held, options).toArray();
      return found.flatMap(({ _id: id, held }) => (held ? [{ id, takesEffectAt: held.takesEffectAt }] : []));
    },
  };
}
