import type { ConsumeRequest, ConsumeResponse, ConsumeResult } from '@knowledge/proto/knowledge/quota/v1/quota';
import { deadlineIn, KnowledgeError } from '@knowledge/runtime';
import { type HandlerContext, toStatus, type UnaryHandler } from '@knowledge/runtime/grpc';
import type { Outcome } from '../domain/decision.js';
import type { Policies } from '../domain/policy.js';
import type { Quota } from '../domain/quota.js';
import type { CountDecisions } from './decision-counter.js';
import { readItem } from './read-item.js';
import { presentAllowance, readLease } from './wire.js';

const maxItems = 1024;

/** So long an item is tried at most, whatever its caller allows: one that hangs must not hold up those behind it. */
const patienceMs = 2000;

/** QuotaService.Consume. */
export function handleConsume(
  quota: Quota,
  policies: Policies,
  count: CountDecisions,
): UnaryHandler<ConsumeRequest, ConsumeResponse> {
  return async ({ items, lease, settlesEarlierTurn }, context) => {
    if (items.length > maxItems) {
      throw new KnowledgeError('validation_error', `items must have at most ${maxItems} elements.`);
    }
    const deadline = Math.min(context.deadline, deadlineIn(patienceMs));
    const read = items.map((item) => readItem(item, policies, deadline));
    const turn = lease && { ...readLease(lease), settlesEarlier: settlesEarlierTurn };
    const outcomes = await quota.consume(read, deadline, turn);
    count(outcomes);
    report(outcomes, context);
    const results = outcomes.map((outcome, at) => present(outcome, items[at]?.context?.requestId));
    return { results, now: new Date() };
  };
}

function present(outcome: Outcome, requestId: string | undefined): ConsumeResult {
  if (outcome instanceof KnowledgeError) {
    return { outcome: { $case: 'error', value: toStatus(outcome, requestId) } };
  }
  const value = presentAllowance(outcome.allowance);
  return { outcome: outcome.granted ? { $case: 'granted', value } : { $case: 'refused', value } };
}

function report(outcomes: readonly Outcome[], { log }: HandlerContext): void {
  const undecided = outcomes.filter(isUndecided);
  const [first] = undecided;
  if (first === undefined) return;
  log.warn({ err: first, undecided: undecided.length, items: outcomes.length }, 'items were not decided');
}

function isUndecided(outcome: Outcome): outcome is KnowledgeError {
  return outcome instanceof KnowledgeError && outcome.code !== 'validation_error';
}
