import { randomUUID } from 'node:crypto';
import { ContributionsServiceService } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import {
  type DecideRequest,
  ModerationServiceService,
  PromptServiceService,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { ReasonServiceService, TeamworkServiceService } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import { ConfirmedErasureServiceService } from '@knowledge/proto/knowledge/identity/v1/erasures';
import { type Clock, closeAll, createLogger, deadlineIn, KnowledgeError } from '@knowledge/runtime';
import { connectGrpc, implement, serveGrpc } from '@knowledge/runtime/grpc';
import { dropDatabases, openAll, openTestDatabase, quietEnvironment } from '@knowledge/runtime/testing';
import { afterAll } from 'vitest';
import { start } from '../service.js';

/** A call of a staff member. */
export const by = (actor = 'mod') => ({ requestId: randomUUID(), actor });

/** A running service, with a client for each of its proto services. */
export type Replica = Awaited<ReturnType<typeof connectReplica>>;

/** Starts two replicas on a new database, and closes them after the last test. It also drops what `drop` lists. */
export async function startReplicas(
  name: string,
  { env = {}, clock, drop = {} }: { env?: Record<string, string>; clock?: Clock; drop?: Record<string, string> } = {},
) {
  const mongo = openTestDatabase(name);
  const full = { ...quietEnvironment(mongo.db), ...env };
  const others = { close: () => dropDatabases(Object.values(drop)) };
  const service = await openAll(async (opened) => {
    opened.push(mongo, others);
    const open = async (): Promise<Replica> => {
      const replica = await startReplica(full, clock);
      opened.push(replica);
      return replica;
    };
    const replicas: [Replica, Replica] = [await open(), await open()];
    /** One of both in turn. */
    const at = (turn: number) => replicas[turn % 2 === 0 ? 0 : 1];
    return { db: mongo.db, replicas, at };
  });
  afterAll(() => service.close());
  return service;
}

async function startReplica(env: Record<string, string | undefined>, clock: Clock | undefined): Promise<Replica> {
  return openAll(async (opened) => {
    const service = await start(env, clock);
    opened.push(service);
    const { close, ...doors } = await connectReplica(service.address);
    opened.push({ close });
    await service.ready;
    return doors;
  });
}

export async function connectReplica(address: string) {
  const options = { address, deadlineMs: 10_000 };
  const clients = {
    contributions: connectGrpc(ContributionsServiceService, options),
    moderation: connectGrpc(ModerationServiceService, options),
    prompts: connectGrpc(PromptServiceService, options),
    teamwork: connectGrpc(TeamworkServiceService, options),
    reasons: connectGrpc(ReasonServiceService, options),
  };
  await clients.prompts.ready(deadlineIn(20_000));
  const { moderation, contributions } = clients;
  return {
    ...clients,
    /** Decides about a contribution, whatever its revision. */
    decide: (id: string, decision: Decision, part: Partial<DecideRequest> = {}, call = by()) =>
      moderation.decide({ id, expectedRevision: 0, reason: '', decision, ...part }, call),
    /** What moderators see of a contribution. */
    async record(id: string, actor = 'mod') {
      const { contribution } = await moderation.getContributionRecord({ id }, by(actor));
      if (contribution === undefined) throw new Error('no record');
      return contribution;
    },
    /** What its human sees of a contribution. */
    async read(id: string, email = 'jo@example.org') {
      const { contribution } = await contributions.getContribution({ email, id, authorizationId: '' }, by(''));
      if (contribution === undefined) throw new Error('no contribution');
      return contribution;
    },
    close: () => closeAll(Object.values(clients)),
  };
}

/** Serves erasures that two staff members confirmed, as the identity service does. */
export async function serveErasures() {
  const confirmed = new Map<string, string>();
  const handlers = implement(ConfirmedErasureServiceService, {
    async getConfirmedErasure({ id }) {
      const email = confirmed.get(id);
      if (email === undefined) throw new KnowledgeError('not_found', 'There is no erasure with this id.');
      return { email, withWork: false, reason: 'asked for by letter' };
    },
    async finishErasure({ id }) {
      confirmed.set(id, '');
      return {};
    },
  });
  const log = createLogger({ name: 'test', level: 'silent' });
  const server = await serveGrpc({ address: '127.0.0.1:0', services: [handlers], health: [], log });
  return {
    /** The variables with which a service finds it. */
    env: { IDENTITY_ADDRESS: server.address },
    /** Confirms the erasure of a person. Returns the request for `EraseContributor`. */
    confirm(email: string) {
      const erasureId = randomUUID();
      confirmed.set(erasureId, email);
      return { erasureId, email, withWork: false };
    },
    close: () => server.close(),
  };
}
