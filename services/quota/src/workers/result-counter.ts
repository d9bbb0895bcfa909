import { KnowledgeError, type Logger, startLoop } from '@knowledge/runtime';
import { known, type Metrics } from '@knowledge/runtime/telemetry';
import type { ItemResult } from '../domain/decision.js';
import type { Now } from '../domain/policy.js';
import type { UsedUpDays } from '../store/used-up-days.js';

interface ResultCounterParts {
  readonly metrics: Metrics;
  readonly days: UsedUpDays;
  readonly now: Now;
  readonly log: Logger;
  readonly pauseMs?: number;
}

/**
 * Counts grants and refusals by policy in metrics, and stores every few seconds how many subjects used up a limit. It
 * loses those numbers rather than delay a decision. Nothing in it says which subject.
 */
export function startResultCounter({ metrics, days, now, log, pauseMs = 5_000 }: ResultCounterParts) {
  const measure = createMeasure(metrics);
  let waiting = new Map<string, Map<string, number>>();

  const store = async (signal: AbortSignal) => {
    const counted = waiting;
    waiting = new Map();
    for (const [day, subjects] of counted) await days.add(day, subjects, signal);
    return false;
  };
  const loop = startLoop({ name: 'used up', pauseMs, log, round: store });

  return {
    count(results: readonly ItemResult[]) {
      for (const result of results) {
        if (result instanceof KnowledgeError) {
          measure('none', result.code === 'validation_error' ? 'invalid' : 'undecided');
          continue;
        }
        const { policy, remaining } = result.allowance;
        measure(policy.name, result.granted ? 'granted' : 'refused');
        // Only the grant of the last unit counts, since a subject may be refused many times.
        if (!result.granted || remaining > 0 || policy.limit === 0) continue;
        const day = new Date(now()).toISOString().slice(0, 10);
        const subjects = waiting.get(day) ?? new Map<string, number>();
        waiting.set(day, subjects.set(policy.name, (subjects.get(policy.name) ?? 0) + 1));
      }
    },
    async close() {
      await loop.close();
      await store(AbortSignal.timeout(2_000)).catch(() => undefined);
    },
  };
}

function createMeasure(metrics: Metrics): (policy: string, outcome: string) => void {
  const decisions = metrics.counter({
    name: 'knowledge_quota_decisions_total',
    help: 'Units that callers asked to count, by the deciding policy and its outcome; undecided and invalid have no policy',
    labels: ['policy', 'outcome'],
  });
  // An alert on its rate would miss the first ones, if it began with them.
  for (const outcome of ['invalid', 'undecided']) decisions.inc({ policy: 'none', outcome }, 0);
  decisions.inc({ policy: 'authorize_service', outcome: 'refused' }, 0);
  const children = new Map<string, { inc(): void }>();
  return (policy, outcome) =>
    known(children, `${policy} ${outcome}`, () => decisions.labels({ policy, outcome })).inc();
}
