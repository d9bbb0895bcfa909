import { KnowledgeError, type Logger, startLoop } from '@knowledge/runtime';
import type { Metrics } from '@knowledge/runtime/telemetry';
import type { ItemResult } from '../domain/decision.js';
import type { Now } from '../domain/policy.js';
import type { UsedUpDays } from '../store/used-up-days.js';

interface UsedUpParts {
  readonly days: UsedUpDays;
  readonly now: Now;
  readonly log: Logger;
  readonly pauseMs?: number;
}

/** Makes the counter. It stores its numbers every few seconds, and loses them rather than delay a decision. */
export function createUsedUp({ days, now, log, pauseMs = 5_000 }: UsedUpParts) {
  let waiting = new Map<string, Map<string, number>>();

  const store = async (signal: AbortSignal): Promise<boolean> => {
    const counted = waiting;
    waiting = new Map();
    for (const [day, subjects] of counted) await days.add(day, subjects, signal);
    return false;
  };
  const loop = startLoop({ name: 'used up', pauseMs, log, round: store });

  return {
    count(results: readonly ItemResult[]): void {
      for (const result of results) {
        // Only the grant of the last unit counts, since a subject may be refused many times.
        if (result instanceof KnowledgeError || !result.granted || result.allowance.remaining > 0) continue;
        const { name, limit } = result.allowance.policy;
        if (limit === 0) continue;
        const day = new Date(now()).toISOString().slice(0, 10);
        const subjects = waiting.get(day) ?? new Map<string, number>();
        waiting.set(day, subjects.set(name, (subjects.get(name) ?? 0) + 1));
      }
    },
    async close(): Promise<void> {
      await loop.close();
      await store(AbortSignal.timeout(2_000)).catch(() => undefined);
    },
  };
}

/** Counts the results of items. */
type CountResults = (results: readonly ItemResult[]) => void;

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
