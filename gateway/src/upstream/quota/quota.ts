import { randomUUID } from 'node:crypto';
import {
  type Allowance,
  type Charge,
  type ConsumeItem,
  type ConsumeResult,
  Policy,
  SubjectKind,
} from '@knowledge/proto/knowledge/quota/v1/quota';
import { type Deadline, deadlineIn, hopMarginMs, KnowledgeError, RemoteClock } from '@knowledge/runtime';
import { createSettler } from '@knowledge/runtime/quota';
import { createCallBatcher, itemContext, requireOutcome } from '../call-batcher.js';
import { type CallContext, callOptions } from '../call-context.js';
import { type Clients, readMs } from '../clients.js';
import { Leases } from './leases.js';

/** Whether the unit was granted, and what is left. */
interface ConsumeOutcome {
  readonly granted: boolean;
  readonly allowance: Allowance;
}

/** Counts through the quota service. */
export interface Quota {
  /** Takes one unit of every charge, or of none. Throws unavailable if quota cannot be reached in time. */
  consume(charges: Charge[], context: CallContext): Promise<ConsumeOutcome>;
  /** What is left; costs nothing. */
  peek(charge: Charge, context: CallContext): Promise<Allowance>;
  /** Waits a moment for settlements under way. */
  close(): Promise<void>;
}

/** Connects the gateway to quota. Consumes that arrive while others are in flight go into one batch. */
export function createQuota(client: Clients['quota']): Quota {
  const clock = new RemoteClock();
  const settler = createSettler((settlements, deadline) =>
    client.settle({ settlements }, { requestId: randomUUID(), deadline }),
  );
  const leases = new Leases(settler);
  const learning = learnClock(client, clock);
  const consumes = createCallBatcher<Unit, UnitResult>({
    send: async (units, options) => {
      const lease = leases.take();
      const sentAt = Date.now();
      const end = deadlineIn(readMs, sentAt);
      const endOf = (unit: Unit): Date | undefined => clock.at(Math.min(unit.deadline, end) - hopMarginMs);
      const items = units.map((unit) => ({ ...unit.item, endsAt: endOf(unit) }));
      const { id, turn, settlesEarlierTurn } = lease;
      const request = { items, lease: { id, turn }, settlesEarlierTurn };
      const { results, now } = await client.consume(request, options).catch((error: unknown) => {
        leases.callFailed(lease);
        throw error;
      });
      clock.learn(now, sentAt);
      for (const unit of units) unit.isCallerGone ||= unit.deadline <= Date.now();
      const settlementSent = leases.callAnswered(lease, units, results);
      return results.map((result, at) => (units[at]?.isCallerGone ? tooLate() : { result, settlementSent }));
    },
    maxItems: 512,
  });
  return {
    async consume(charges, call) {
      // Never the caller's request id: it could be that of a unit which is already counted, for a free read.
      const unit = new Unit(
        { context: itemContext(call), id: randomUUID(), charges, endsAt: undefined },
        call.deadline,
      );
      const { result, settlementSent } = await consumes.add(unit, call).catch((error: unknown) => {
        unit.isCallerGone = true;
        throw error;
      });
      await settlementSent;
      const outcome = requireOutcome(result.outcome);
      return { granted: outcome.$case === 'granted', allowance: outcome.value };
    },
    async peek(charge, context) {
      const { allowances } = await client.peek({ charges: [charge] }, callOptions(context));
      const [allowance] = allowances;
      if (allowance === undefined) throw new KnowledgeError('internal_error', 'A peek came back without an answer.');
      return allowance;
    },
    async close() {
      consumes.close();
      clearInterval(learning);
      await settler.close();
    },
  };
}

/** A unit whose outcome is awaited. */
class Unit {
  readonly id: string;
  /** Whether its caller was refused meanwhile. */
  isCallerGone = false;

  constructor(
    readonly item: ConsumeItem,
    readonly deadline: Deadline,
  ) {
    this.id = item.id;
  }

  get context(): ConsumeItem['context'] {
    return this.item.context;
  }
}

/** The result of a unit; the caller may get it when `settlementSent` resolves. */
interface UnitResult {
  readonly result: ConsumeResult;
  readonly settlementSent: Promise<void>;
}

function tooLate(): KnowledgeError {
  return new KnowledgeError('unavailable', 'The quota answered too late; try again.', { retryAfterSeconds: 1 });
}

/** Queries quota's clock until it is known, so that even the first read has a deadline by that clock. */
function learnClock(client: Clients['quota'], clock: RemoteClock): NodeJS.Timeout {
  const ask = async (): Promise<void> => {
    const sentAt = Date.now();
    const nothing = { items: [], lease: undefined, settlesEarlierTurn: false };
    clock.learn((await client.consume(nothing, { requestId: randomUUID() })).now, sentAt);
    clearInterval(timer);
  };
  const timer = setInterval(() => void ask().catch(() => undefined), 1_000).unref();
  void ask().catch(() => undefined);
  return timer;
}

/** What one contribution of a human costs (gateway/PROTOCOL.md#write-limit). */
export function writeCharge(email: string): Charge {
  return { policy: Policy.CONTRIBUTE_MAILBOX, subject: { kind: SubjectKind.EMAIL, value: email } };
}

/** The three headers of an article read: integers, and Unix seconds of the next UTC midnight. */
export function rateLimitHeaders({ limit, remaining, resetAt }: Allowance): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.floor((resetAt?.getTime() ?? 0) / 1000)),
  };
}
