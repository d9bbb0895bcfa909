import type {
  ConsumeRequest,
  ConsumeResponse,
  ConsumeResult,
  ConsumeItem as WireItem,
} from '@knowledge/proto/knowledge/quota/v1/quota';
import { type Deadline, deadlineIn, KnowledgeError } from '@knowledge/runtime';
import { type StreamCallContext, toStatus } from '@knowledge/runtime/grpc';
import type { Metrics } from '@knowledge/runtime/telemetry';
import type { ConsumeItem } from '../domain/consume-item.js';
import type { ItemResult } from '../domain/decision.js';
import type { Now, Policies } from '../domain/policy.js';
import type { Quota } from '../domain/quota.js';
import { type Charge, isLonger } from '../domain/subject.js';
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

/** Counts the results of items in metrics. */
type CountResults = (outcomes: readonly ItemResult[]) => void;

/** Counts grants and refusals by policy, and undecided items. The labels never contain a subject. */
export function createResultCounter(metrics: Metrics): CountResults {
  const decisions = metrics.counter({
    name: 'knowledge_quota_decisions_total',
    help: 'Units that callers asked to count, by the deciding policy and its outcome; undecided and invalid have no policy',
    labels: ['policy', 'outcome'],
  });
  // An alert on its rate would miss the first ones, if it began with them.
  for (const outcome of ['invalid', 'undecided']) decisions.inc({ policy: 'none', outcome }, 0);
  decisions.inc({ policy: 'authorize_service', outcome: 'refused' }, 0);
  const children = new Map<string, { inc(): void }>();
  const count = (policy: string, outcome: string): void => {
    const key = `${policy} ${outcome}`;
    let child = children.get(key);
    if (child === undefined) {
      child = decisions.labels({ policy, outcome });
      children.set(key, child);
    }
    child.inc();
  };
  return (outcomes) => {
    for (const outcome of outcomes) {
      if (outcome instanceof KnowledgeError) {
        count('none', outcome.code === 'validation_error' ? 'invalid' : 'undecided');
      } else {
        count(outcome.allowance.policy.name, outcome.granted ? 'granted' : 'refused');
      }
    }
  };
}

/** Counts the units that were given back. */
export function countGivenBack(metrics: Metrics): (units: number) => void {
  const total = metrics.counter({
    name: 'knowledge_quota_given_back_total',
    help: 'Units that were counted and then given back, because no caller settled them',
  });
  return (units) => total.inc(units);
}
