import { KnowledgeError } from '@knowledge/runtime';
import type { Metrics } from '@knowledge/runtime/telemetry';
import type { ItemResult } from '../domain/decision.js';

/** Counts the results of items in metrics. */
export type CountResults = (outcomes: readonly ItemResult[]) => void;

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
