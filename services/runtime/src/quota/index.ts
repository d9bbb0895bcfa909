import { setTimeout as pause } from 'node:timers/promises';
import type { Allowance, Charge, QuotaServiceService, Settlement } from '@knowledge/proto/knowledge/quota/v1/quota';
import { Batcher } from '../batch.js';
import { type CallContext, childDeadline, type Deadline, deadlineIn, hopMarginMs, RemoteClock } from '../deadline.js';
import { KnowledgeError } from '../errors/knowledge-error.js';
import type { GrpcClient } from '../grpc/connect.js';
import { fromStatus } from '../grpc/status.js';

// All attempts at one unit use the same lease and turn. If one attempt keeps the unit, it stays charged.
const turn = 1;

const takeMs = 1500;

/** The policy that refused a unit, and when one may be taken again. */
export interface RefusedUnit extends Pick<Allowance, 'policy' | 'limit'> {
  readonly retryAfterSeconds: number;
}

/** Charges one unit at a time, for services that count the units that they store. */
export type Charges = ReturnType<typeof createCharges>;

/** Makes charges through the quota service. */
export function createCharges(client: GrpcClient<typeof QuotaServiceService>) {
  const clock = new RemoteClock();
  const settler = createSettler((settlements, deadline) =>
    client.settle({ settlements }, { requestId: settlements[0]?.lease?.id ?? 'settle', deadline }),
  );
  return {
    /**
     * Takes one unit of every charge, or nothing; then it returns what refused them. Quota gives the units back unless
     * `keep` follows within seconds.
     *
     * @throws KnowledgeError `unavailable` while quota cannot decide, `internal_error` if it never will.
     */
    async take(id: string, charges: Charge[], call: CallContext): Promise<RefusedUnit | undefined> {
      const sentAt = Date.now();
      const { requestId, traceparent = '', signal } = call;
      const deadline = childDeadline(call.deadline, takeMs);
      const context = { requestId, traceparent, timeout: undefined };
      const items = [{ context, id, charges, endsAt: clock.at(deadline - hopMarginMs) }];
      const request = { items, lease: { id, turn }, settlesEarlierTurn: false };
      const { results, now } = await client.consume(request, { requestId, traceparent, deadline, signal });
      clock.learn(now, sentAt);
      const outcome = results[0]?.outcome;
      if (outcome?.$case === 'granted') return undefined;
      if (outcome?.$case === 'refused') {
        const { policy, limit, resetAt = call.now } = outcome.value;
        const seconds = Math.ceil((resetAt.getTime() - call.now.getTime()) / 1000);
        return { policy, limit, retryAfterSeconds: Math.max(1, seconds) };
      }
      const cause = outcome && fromStatus(outcome.value);
      if (cause?.code === 'unavailable') throw cause;
      throw new KnowledgeError('internal_error', 'The limits could not be checked.', { cause });
    },
    /** Makes the charge permanent. Call it when the contribution or other reason of the charge is stored. */
    keep: (id: string) => settler.settle({ lease: { id, turn }, undelivered: [] }),
    async close() {
      await settler.close();
      client.close();
    },
  };
}

const patienceMs = 60_000;
const closeMs = 2_000;

/**
 * The largest number of settlements that may wait (a few megabytes). It is seldom reached: without the quota service
 * nothing is granted, so no new settlements arise.
 */
const maxWaiting = 10_000;

export type Settler = ReturnType<typeof createSettler>;

/** Sends settlements of leases to the quota service in the background. */
export function createSettler(send: (settlements: Settlement[], deadline: Deadline) => Promise<unknown>) {
  const batcher = new Batcher<Settlement, true>({
    send: async (settlements, { deadline }) => {
      await send(settlements, deadline);
      return settlements.map(() => true);
    },
    maxItems: 1_000,
    // The weight is the approximate size in bytes: an id takes about 64 bytes in the message.
    weight: { max: 128 * 1024, of: ({ undelivered }) => 64 * (1 + undelivered.length) },
    // Settlements do not wait for each other, because each one must be sent before the response of its request.
    maxInFlight: 16,
    maxWaiting,
  });
  const waiting = new Set<Promise<void>>();
  let closed = false;

  const untilAnswered = async (settlement: Settlement) => {
    const giveUp = Date.now() + patienceMs;
    for (let tries = 1; !closed && Date.now() < giveUp; tries += 1) {
      try {
        await batcher.add(settlement, { deadline: deadlineIn(1_500) });
        return;
      } catch {
        await pause(Math.min(1_000, 50 * 2 ** tries) * (0.5 + Math.random() / 2));
      }
    }
  };

  return {
    /**
     * Sends a settlement and repeats it until the response arrives. It stops after a minute, when the quota service gives
     * back the lease by itself.
     */
    settle(settlement: Settlement) {
      if (waiting.size >= maxWaiting) return;
      const answered = untilAnswered(settlement).finally(() => waiting.delete(answered));
      waiting.add(answered);
    },
    /** Waits at most 2 s for settlements without a response. */
    async close() {
      const limit = new AbortController();
      await Promise.race([Promise.all(waiting), pause(closeMs, undefined, { signal: limit.signal })]);
      limit.abort();
      closed = true;
      batcher.close();
    },
  };
}
