import type { TeamworkServiceService } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import type { CallOptions, GrpcClient } from '@knowledge/runtime/grpc';
import type { FastifyInstance } from 'fastify';
import { callOf } from '../http/session.js';

/** A call for one staff member. */
export type StaffCall = CallOptions & { readonly actor: string };

/** Tells colleagues which items the moderator has open. */
export interface Presence {
  /** Returns who has the item open, with the moderator. */
  announce(id: string, call: StaffCall): Promise<readonly string[]>;
  /** Makes the item free for colleagues. */
  leave(id: string, call: StaffCall): Promise<void>;
}

export function createPresence(teamwork: GrpcClient<typeof TeamworkServiceService>): Presence {
  return {
    async announce(id, call) {
      const { openBy } = await teamwork.announcePresence({ contributionId: id }, call);
      return openBy.map(({ actor }) => actor);
    },
    async leave(id, call) {
      await teamwork.endPresence({ contributionId: id }, call);
    },
  };
}

/** Registers what the script of the queue sends while an item is open, and when the moderator leaves it. */
export function registerPresence(app: FastifyInstance, presence: Presence): void {
  app.post<{ Params: { id: string } }>('/queue/:id/presence', async (request, reply) => {
    await presence.announce(request.params.id, callOf(request));
    return reply.code(204).send();
  });

  app.post<{ Params: { id: string } }>('/queue/:id/presence/end', async (request, reply) => {
    await presence.leave(request.params.id, callOf(request));
    return reply.code(204).send();
  });
}
