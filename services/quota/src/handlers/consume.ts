import type {
  ConsumeRequest,
  ConsumeResponse,
  ConsumeResult,
  ConsumeItem as WireItem,
} from '@knowledge/proto/knowledge/quota/v1/quota';
import { type Deadline, deadlineIn, KnowledgeError } from '@knowledge/runtime';
import { type StreamCallContext, toStatus } from '@knowledge/runtime/grpc';
import type { Charge } from '../domain/charge.js';
import type { ConsumeItem } from '../domain/consume-item.js';
import type { ItemResult } from '../domain/decision.js';
import type { Policies } from '../domain/policy.js';
import type { Quota } from '../domain/quota.js';
import { isLonger } from '../domain/subject.js';
import type { Now } from '../domain/window.js';
import type { CountResults } from './result-counter.js';
import { milliseconds, requireCharges, requireTurn, toWireAllowance } from './wire.js';

const maxItems = 1024;
const maxIdLength = 64;

/**
 * The longest time for one item. It is limited even if the caller waits longer, so that a slow item does not delay
 * others.
 */
const patienceMs = 2000;

export interface ConsumeDependencies {
  readonly quota: Quota;
  readonly policies: Policies;
  readonly count: CountResults;
  readonly now: Now;
}

/** Counts items, by a unary call or as a call on a stream. */
export type ConsumeCall = (request: ConsumeRequest, call: StreamCallContext) => Promise<ConsumeResponse>;

export function consume({ quota, policies, count, now }: ConsumeDependencies): ConsumeCall {
  return async ({ items, lease, settlesEarlierTurn }, call) => {
    if (items.length > maxItems) {
      throw new KnowledgeError('validation_error', `items must have at most ${maxItems} elements.`);
    }
    const deadline = Math.min(call.deadline, deadlineIn(patienceMs));
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
    if (item.id === '' || isLonger(item.id, maxIdLength)) {
      throw new KnowledgeError('validation_error', `id must have 1 to ${maxIdLength} characters.`);
    }
    const [first, ...others] = item.charges;
    if (first === undefined || others.length > 4) {
      throw new KnowledgeError('validation_error', 'charges must have one to five elements.');
    }
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
function requireDifferent(charges: readonly Charge[]): void {
  const policies = new Set(charges.map(({ policy }) => policy));
  if (policies.size === charges.length) return;
  const keys = new Set(charges.map(({ key }) => key));
  if (keys.size < charges.length) throw new KnowledgeError('validation_error', 'charges must differ.');
}

/** The end of an item by our own clock. The caller names it by the clock that all replicas share, which is `ahead`. */
function endOf({ context, endsAt }: WireItem, deadline: Deadline, ahead: number): Deadline {
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

function logUndecided(results: readonly ItemResult[], { log }: StreamCallContext): void {
  const undecided = results.filter(isUndecided);
  const [first] = undecided;
  if (first === undefined) return;
  log.warn({ err: first, undecided: undecided.length, items: results.length }, 'some items could not be decided');
}

function isUndecided(result: ItemResult): result is KnowledgeError {
  return result instanceof KnowledgeError && result.code !== 'validation_error';
}
