import { abortable } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import { contributionsOf } from './contribution-document.js';

/** What the held decisions of a group have in common. */
export interface HeldGroup {
  readonly groupId: string;
  readonly contributions: number;
  readonly actor: string;
  readonly takesEffectAt: Date;
  readonly reason: string;
}

/** Finds the decisions that take effect later. */
export function createHeldDecisionStore(db: Db) {
  const contributions = contributionsOf(db);

  const held = { 'held.takesEffectAt': { $type: 'date' } } as const;

  return {
    /** The contributions with held decisions of one group. */
    async ofGroup(groupId: string, signal: AbortSignal) {
      const found = await contributions
        .find({ ...held, 'held.group.id': groupId }, { signal, hint: 'held_due' })
        .toArray();
      return found.map(({ _id: id }) => ({ id }));
    },
    /** The groups with held decisions, the newest first, at most 20. */
    groups: (signal: AbortSignal) =>
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
    /** The contributions whose held decisions take effect next, the earliest first. */
    async next(most: number, signal: AbortSignal) {
      const projection = { 'held.takesEffectAt': 1 };
      const options = { signal, projection, sort: { 'held.takesEffectAt': 1 }, limit: most } as const;
      const found = await contributions.find(held, options).toArray();
      return found.flatMap(({ _id: id, held }) => (held ? [{ id, takesEffectAt: held.takesEffectAt }] : []));
    },
  };
}

export type HeldDecisionStore = ReturnType<typeof createHeldDecisionStore>;

/** Finds the agents whose access a decision ends, and that identity does not know of yet. */
export function createAgentEndStore(db: Db) {
  const contributions = contributionsOf(db);
  const due = { 'agentEnd.dueAt': { $type: 'date' } } as const;

  return {
    /** The one that is due first. `hasHeld`: a decision about another of its texts, which ends it too, is held still. */
    async next(signal: AbortSignal) {
      const found = await contributions.findOne(due, { signal, sort: { 'agentEnd.dueAt': 1 } });
      if (!found?.agentEnd?.dueAt) return undefined;
      const { email, authorizationId } = found;
      const { actor, reason, dueAt } = found.agentEnd;
      const held = { authorizationId, 'held.group.endsAgent': true };
      const hasHeld = (await contributions.findOne(held, { signal, projection: { _id: 1 } })) !== null;
      return { email, authorizationId, actor, reason, dueAt, hasHeld };
    },
    /** Notes that identity has ended the access, for all texts of the agent. */
    async done(authorizationId: string, signal: AbortSignal) {
      await contributions.updateMany(
        { authorizationId, ...due },
        { $set: { 'agentEnd.dueAt': null } },
        abortable(signal),
      );
    },
  };
}

export type AgentEndStore = ReturnType<typeof createAgentEndStore>;
