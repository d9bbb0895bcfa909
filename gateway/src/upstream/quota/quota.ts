import { randomUUID } from 'node:crypto';
import {
  type Allowance,
  type Charge,
  type ConsumeItem,
  type ConsumeResult,
  Policy,
  SubjectKind,
} from '@knowledge/proto/knowledge/quota/v1/quota';
import { type Deadline, deadlineIn, hopMarginMs, KnowledgeError, type Logger, RemoteClock } from '@knowledge/runtime';
import { createSettler, type Settler } from '@knowledge/runtime/quota';
import type { Telemetry } from '@knowledge/runtime/telemetry';
import { type CallContext, callOptions, createCallBatcher, itemContext, required, requireOutcome } from '../calls.js';
import { type Clients, readMs } from '../clients.js';
import { QuotaStreams } from './quota-streams.js';

interface QuotaParts {
  readonly client: Clients['quota'];
  readonly telemetry: Telemetry;
  readonly log: Logger;
}

/** Counts reads and contributions in the quota service. */
export type Quota = ReturnType<typeof createQuota>;

/** Connects the gateway to quota. Units that arrive while other calls are running go into one batch. */
export function createQuota({ client, telemetry, log }: QuotaParts) {
  const clock = new RemoteClock();
  const streams = new QuotaStreams({
    open: () => client.consumeStream({ requestId: randomUUID() }),
    telemetry,
    log,
    callMs: readMs,
  });
  const settler = createSettler((settlements, deadline) =>
    streams.settle({ settlements }, { requestId: randomUUID(), deadline }),
  );
  const leases = new Leases(settler);
  const learning = learnClock(streams, clock);
  const consumes = createCallBatcher<Unit, UnitResult>({
    send: async (units, options) => {
      const lease = leases.take();
      const sentAt = Date.now();
      const end = deadlineIn(readMs, sentAt);
      const endOf = (unit: Unit) => clock.at(Math.min(unit.deadline, end) - hopMarginMs);
      const items = units.map((unit) => ({ ...unit.item, endsAt: endOf(unit) }));
      const { id, turn, settlesEarlierTurn } = lease;
      const request = { items, lease: { id, turn }, settlesEarlierTurn };
      const { results, now } = await streams.consume(request, options).catch((error: unknown) => {
        leases.callFailed(lease);
        throw error;
      });
      clock.learn(now, sentAt);
      for (const unit of units) unit.isCallerGone ||= unit.deadline <= Date.now();
      const settlementSent = leases.callAnswered(lease, units, results);
      return results.map((result, at) => (units[at]?.isCallerGone ? tooLate() : { result, settlementSent }));
    },
    maxItems: 512,
    // A commit costs the same for one unit and for several, so waiting a moment for more units pays.
    gather: { maxMs: 1, below: 32 },
    beside: { from: 16, afterMs: 10 },
  });
  return {
    /** Takes one unit from every charge, or from none. Throws unavailable if quota does not respond in time. */
    async consume(charges: Charge[], call: CallContext) {
      // A unit gets a new id. With the caller's request id, a caller could repeat a counted id and read for free.
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
    /** Returns the allowance of the first charge, with what all of them leave. It takes nothing. */
    async peek(charges: Charge[], context: CallContext): Promise<Allowance> {
      const { allowances } = await client.peek({ charges }, callOptions(context));
      const own = required(allowances[0]);
      // A policy with the limit 0 is switched off.
      const left = allowances.filter(({ limit }) => limit > 0).map(({ remaining }) => remaining);
      return { ...own, remaining: Math.min(own.limit, ...left) };
    },
    /** Waits a moment for settlements in progress. */
    async close() {
      consumes.close();
      clearInterval(learning);
      await settler.close();
      streams.close();
    },
  };
}

/** A unit for which a caller waits. */
class Unit {
  readonly id: string;
  /** Whether the caller has already got a failure, so that the unit must not count. */
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

/** The result of a unit. The caller may get it after `settlementSent` resolves. */
interface UnitResult {
  readonly result: ConsumeResult;
  readonly settlementSent: Promise<void>;
}

function tooLate() {
  return new KnowledgeError('unavailable', 'The quota answered too late; try again.', { retryAfterSeconds: 1 });
}

/** Queries quota's clock until it responds, so that even the first read has a deadline in quota's time. */
function learnClock(quota: QuotaStreams, clock: RemoteClock) {
  const ask = async () => {
    const sentAt = Date.now();
    const nothing = { items: [], lease: undefined, settlesEarlierTurn: false };
    clock.learn((await quota.consume(nothing, { requestId: randomUUID() })).now, sentAt);
    clearInterval(timer);
  };
  const timer = setInterval(() => void ask().catch(() => undefined), 1_000).unref();
  void ask().catch(() => undefined);
  return timer;
}

/** The charge of one contribution of a human (gateway/PROTOCOL.md#write-limit). */
export function writeCharge(email: string): Charge {
  return { policy: Policy.CONTRIBUTE_MAILBOX, subject: { kind: SubjectKind.EMAIL, value: email } };
}

/** Makes the X-RateLimit headers of a response: integers, the last one the next UTC midnight in Unix seconds. */
export function rateLimitHeaders({ limit, remaining, resetAt }: Allowance): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.floor((resetAt?.getTime() ?? 0) / 1000)),
  };
}

/** A lease of this gateway. Two calls never use the same lease at the same time. */
export class Lease {
  readonly id = randomUUID();
  turn = 0;
  /** Whether the next call must settle the turn before it. */
  settlesEarlierTurn = false;
}

/**
 * The leases of this gateway, one for each running call. The next call under a lease settles the turn before it. If no
 * call follows at once, a separate settlement is sent.
 */
export class Leases {
  private idle: Lease[] = [];

  constructor(private readonly settler: Settler) {}

  /** Takes a lease for the next call. */
  take(): Lease {
    const lease = this.idle.pop() ?? new Lease();
    lease.turn += 1;
    return lease;
  }

  /** Settles the turn before a failed call. The lease is not used again, so quota gives back the failed units. */
  callFailed({ id, turn, settlesEarlierTurn }: Lease): void {
    if (settlesEarlierTurn) this.settler.settle({ lease: { id, turn: turn - 1 }, undelivered: [] });
  }

  /**
   * Settles the turn of a call that has results. Callers get their response when this resolves. The settlement is sent
   * by then, so that a killed gateway cannot undo the charge.
   */
  async callAnswered(
    lease: Lease,
    units: readonly Pick<Unit, 'id' | 'isCallerGone'>[],
    results: readonly ConsumeResult[],
  ): Promise<void> {
    if (results.some(({ outcome }) => outcome?.$case === 'error')) this.callFailed(lease);
    const undelivered: string[] = [];
    let delivered = 0;
    for (const [at, { id, isCallerGone }] of units.entries()) {
      const kind = results[at]?.outcome?.$case;
      if (kind === 'refused') continue;
      if (kind === 'granted' && !isCallerGone) delivered += 1;
      else undelivered.push(id);
    }
    if (undelivered.length > 0) {
      // Quota must give back some units of this lease, so the lease is not used again.
      if (delivered > 0) this.settler.settle({ lease: { id: lease.id, turn: lease.turn }, undelivered });
    } else {
      lease.settlesEarlierTurn = delivered > 0;
      this.idle.push(lease);
    }
    if (delivered > 0) await this.settlementSent(lease, lease.turn);
  }

  /** Resolves when the operating system has the bytes of the call that settles the turn. */
  private async settlementSent(lease: Lease, turn: number) {
    await nextRound();
    if (lease.turn === turn && lease.settlesEarlierTurn) {
      lease.settlesEarlierTurn = false;
      this.settler.settle({ lease: { id: lease.id, turn }, undelivered: [] });
    }
    await nextRound();
    await nextRound();
  }
}

/** Resolves in the next round of the event loop, when the operating system has the bytes written in this round. */
function nextRound(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
