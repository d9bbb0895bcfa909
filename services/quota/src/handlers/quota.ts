import { randomUUID } from 'node:crypto';
import {
  type ConsumeRequest,
  type ConsumeResponse,
  type ConsumeResult,
  type ConsumeStreamRequest,
  type ConsumeStreamResponse,
  QuotaServiceService,
  type SettleRequest,
  type SettleResponse,
  type ConsumeItem as WireItem,
  type Settlement as WireSettlement,
} from '@knowledge/proto/knowledge/quota/v1/quota';
import { type Deadline, deadlineIn, KnowledgeError, refuse, within } from '@knowledge/runtime';
import {
  type Handlers,
  type RunStreamCall,
  type StreamCallContext,
  streamCallsOf,
  toStatus,
} from '@knowledge/runtime/grpc';
import type { Telemetry } from '@knowledge/runtime/telemetry';
import type { ConsumeItem, LeaseStore, Settlement } from '../domain/consume-item.js';
import type { ItemResult } from '../domain/decision.js';
import type { Now, Policies } from '../domain/policy.js';
import type { Quota } from '../domain/quota.js';
import { type Charge, isLonger } from '../domain/subject.js';
import { milliseconds, requireCharges, requireTurn, toWireAllowance } from './wire.js';

const maxCharges = 16;

interface HandlerParts {
  readonly quota: Quota;
  readonly policies: Policies;
  readonly count: (results: readonly ItemResult[]) => void;
  readonly now: Now;
  readonly leases: LeaseStore;
  readonly telemetry: Telemetry;
}

export function quotaHandlers(parts: HandlerParts): Handlers<QuotaServiceService> {
  const { quota, policies, leases, telemetry } = parts;
  const calls = { consume: consume(parts), settle: settle(leases) };
  return {
    ...calls,
    consumeStream: consumeStream({
      ...calls,
      runConsume: streamCallsOf(QuotaServiceService.consume, telemetry),
      runSettle: streamCallsOf(QuotaServiceService.settle, telemetry),
    }),

    async peek({ charges }, { signal }) {
      if (charges.length > maxCharges) refuse(`charges must have at most ${maxCharges} elements`);
      const groups = charges.map((charge) => requireCharges(charge, policies));
      const peeked = await quota.peek(groups.flat(), signal);
      // Of the networks around an address, the one with the least left decides.
      const least = groups.map(({ length }) =>
        peeked.splice(0, length).reduce((one, other) => (other.remaining < one.remaining ? other : one)),
      );
      return { allowances: least.map(toWireAllowance) };
    },
  };
}

const maxItems = 1024;
const maxIdLength = 64;

/**
 * The longest time for one item. It is limited even if the caller waits longer, so that a slow item does not delay
 * others.
 */
const itemPatienceMs = 2000;

/** Counts items, by a unary call or as a call on a stream. */
type ConsumeCall = (request: ConsumeRequest, call: StreamCallContext) => Promise<ConsumeResponse>;

function consume({ quota, policies, count, now }: HandlerParts): ConsumeCall {
  return async ({ items, lease, settlesEarlierTurn }, call) => {
    if (items.length > maxItems) refuse(`items must have at most ${maxItems} elements`);
    const deadline = Math.min(call.deadline, deadlineIn(itemPatienceMs));
    const ahead = now() - Date.now();
    const units = items.map((item) => fromWireItem(item, policies, deadline, ahead));
    const turn = lease && { ...requireTurn(lease), settlesEarlier: settlesEarlierTurn };
    const results = await quota.consume(units, deadline, turn);
    count(results);
    logUndecided(results, call);
    return {
      results: results.map((result, at) => toWireResult(result, items[at]?.context?.requestId)),
      now: new Date(now()),
    };
  };
}

/** Reads one item. An invalid item gets its own error, and the other items are still decided. */
function fromWireItem(
  item: WireItem,
  policies: Policies,
  deadline: Deadline,
  ahead: number,
): ConsumeItem | KnowledgeError {
  try {
    if (item.id === '' || isLonger(item.id, maxIdLength)) refuse(`id must have 1 to ${maxIdLength} characters`);
    const [first, ...others] = item.charges;
    if (first === undefined || others.length > 4) refuse('charges must have one to five elements');
    const [own, ...around] = requireCharges(first, policies);
    const until = endOf(item, deadline, ahead);
    const ceilings = [...around, ...others.flatMap((each) => requireCharges(each, policies))];
    requireDifferent([own, ...ceilings]);
    return { id: item.id, charges: [own, ...ceilings], deadline: until };
  } catch (error) {
    if (error instanceof KnowledgeError) return error;
    throw error;
  }
}

// Charges of different policies differ in any case.
function requireDifferent(charges: readonly Charge[]) {
  const policies = new Set(charges.map(({ policy }) => policy));
  if (policies.size === charges.length) return;
  const keys = new Set(charges.map(({ key }) => key));
  if (keys.size < charges.length) refuse('charges must differ');
}

/** The end of an item by our own clock. The caller names it by the clock that all replicas share, which is `ahead`. */
function endOf({ context, endsAt }: WireItem, deadline: Deadline, ahead: number) {
  const patience = context?.timeout === undefined ? deadline : deadlineIn(milliseconds(context.timeout));
  return Math.min(deadline, patience, endsAt === undefined ? deadline : endsAt.getTime() - ahead);
}

function toWireResult(result: ItemResult, requestId: string | undefined): ConsumeResult {
  if (result instanceof KnowledgeError) {
    return { outcome: { $case: 'error', value: toStatus(result, requestId) } };
  }
  const value = toWireAllowance(result.allowance);
  return { outcome: result.granted ? { $case: 'granted', value } : { $case: 'refused', value } };
}

function logUndecided(results: readonly ItemResult[], { log }: StreamCallContext) {
  const undecided = results.filter((each) => each instanceof KnowledgeError && each.code !== 'validation_error');
  const [first] = undecided;
  if (first === undefined) return;
  log.warn({ err: first, undecided: undecided.length, items: results.length }, 'some items could not be decided');
}

/** The most calls of one stream that run at once. The next one is read when one of them has its response. */
const maxRunning = 64;

/** The longest time for a call that names none. */
const callPatienceMs = 10_000;

interface ConsumeStreamParts {
  readonly consume: ConsumeCall;
  readonly settle: SettleCall;
  /** Measures and logs the calls of a stream like unary calls of these methods. */
  readonly runConsume: RunStreamCall;
  readonly runSettle: RunStreamCall;
}

/**
 * Runs the calls of a stream at the same time, and sends each response when it is there. When the server drains, it
 * tells the caller. The caller closes its side, and still gets the responses of its running calls.
 */
function consumeStream(parts: ConsumeStreamParts): Handlers<QuotaServiceService>['consumeStream'] {
  const replicaId = randomUUID();
  return async (requests, stream, emit) => {
    let sending = Promise.resolve();
    // One after the other, so that a caller that reads slowly holds up the calls. To a caller that is gone nothing can be
    // sent, and the loop over its requests ends by itself.
    const send = (message: ConsumeStreamResponse) => {
      sending = sending.then(() => emit(message)).catch(() => undefined);
      return sending;
    };
    await emit({ number: 0, message: { $case: 'opened', value: { replicaId } } });
    const onDrain = (): void => void send({ number: 0, message: { $case: 'closing', value: {} } });
    stream.draining.addEventListener('abort', onDrain, { once: true });
    if (stream.draining.aborted) onDrain();
    const running = new Set<Promise<void>>();
    try {
      for await (const request of requests) {
        const call = answer(parts, request, stream).then(send);
        const done = call.finally(() => running.delete(done));
        running.add(done);
        if (running.size >= maxRunning) await Promise.race(running);
      }
    } finally {
      stream.draining.removeEventListener('abort', onDrain);
      await Promise.all(running);
    }
  };
}

type Stream = Parameters<RunStreamCall>[0];

async function answer(
  { consume, settle, runConsume, runSettle }: ConsumeStreamParts,
  { number, context, call }: ConsumeStreamRequest,
  stream: Stream,
): Promise<ConsumeStreamResponse> {
  const facts = {
    requestId: context?.requestId ?? '',
    traceparent: context?.traceparent ?? '',
    deadline: deadlineOf(context?.timeout),
  };
  const run = call?.$case === 'settle' ? runSettle : runConsume;
  const ended = await run(stream, facts, async (own): Promise<ConsumeStreamResponse['message']> => {
    switch (call?.$case) {
      case 'consume':
        return { $case: 'consumed', value: await consume(call.value, own) };
      case 'settle':
        return { $case: 'settled', value: await settle(call.value) };
      case undefined:
        return refuse('call must be consume or settle');
    }
  });
  return { number, message: 'error' in ended ? { $case: 'error', value: ended.error } : ended.response };
}

function deadlineOf(timeout: Parameters<typeof milliseconds>[0] | undefined) {
  return deadlineIn(timeout === undefined ? callPatienceMs : Math.min(milliseconds(timeout), callPatienceMs));
}

const maxSettlements = 1024;
const settlePatienceMs = 5000;

/** Settles turns of leases, by a unary call or as a call on a stream. */
type SettleCall = (request: SettleRequest) => Promise<SettleResponse>;

/** Completes even if the caller disconnects, since a caller may settle just before it is killed. */
function settle(leases: LeaseStore): SettleCall {
  return async ({ settlements }) => {
    if (settlements.length > maxSettlements) refuse(`settlements must have at most ${maxSettlements} elements`);
    const turns = settlements.map(fromWireSettlement);
    if (turns.length > 0) await within(settlePatienceMs, (signal) => leases.settle(turns, signal));
    return {};
  };
}

function fromWireSettlement({ lease, undelivered }: WireSettlement): Settlement {
  if (lease === undefined) refuse('settlements.lease is required');
  return { ...requireTurn(lease), undelivered };
}
