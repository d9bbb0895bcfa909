import { abortable } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import type { EndingAgent } from '../domain/contribution.js';
import type { ContributionDocument } from './documents.js';

/** Finds the agents whose access a decision ends, and that identity does not know of yet. */
export interface AgentEndStore {
  /** The one that is due first. `hasHeld`: a decision about another of its texts, which ends it too, is held still. */
  next(signal: AbortSignal): Promise<(EndingAgent & { hasHeld: boolean }) | undefined>;
  /** Notes that identity has ended the access, for all texts of the agent. */
  done(authorizationId: string, signal: AbortSignal): Promise<void>;
}

export function createAgentEndStore(db: Db): AgentEndStore {
  const contributions = db.collection<ContributionDocument>('contributions');
  const due = { 'agentEnd.dueAt': { $type: 'date' } } as const;

  return {
    async next(signal) {
      const found = await contributions.findOne(due, { signal, sort: { 'agentEnd.dueAt': 1 } });
      if (!found?.agentEnd?.dueAt) return undefined;
      const { email, authorizationId } = found;
      const { actor, reason, dueAt } = found.agentEnd;
      const held = { authorizationId, 'held.group.endsAgent': true };
      const hasHeld = (await contributions.findOne(held, { signal, projection: { _id: 1 } })) !== null;
      return { email, authorizationId, actor, reason, dueAt, hasHeld };
    },
    async done(authorizationId, signal) {
      await contributions.updateMany(
        { authorizationId, ...due },
        { $set: { 'agentEnd.dueAt': null } },
        abortable(signal),
      );
    },
  };
}
