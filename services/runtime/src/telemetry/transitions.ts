import type { Metrics } from './metrics.js';

/** Counts transitions in a metric. Call it once for each transition. */
export type CountTransitions = (
  transitions: readonly { readonly subject: string; readonly from: string; readonly to: string }[],
) => void;

/** Makes a metric that counts transitions by subject, old state and new state. */
export function countTransitions(metrics: Metrics): CountTransitions {
  const counter = metrics.counter({
    name: 'knowledge_transitions_total',
    help: 'Changes of state, by what changed; from is "none" for a new thing',
    labels: ['subject', 'from', 'to'],
  });
  return (transitions) => {
    for (const { subject, from, to } of transitions) counter.inc({ subject, from: from === '' ? 'none' : from, to });
  };
}
