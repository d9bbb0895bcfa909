import type { Counter, Gauge, Histogram } from 'prom-client';

/** The name of a metric (in base units, with `_total` for counters), its description and its labels. */
export interface MetricDeclaration<Label extends string> {
  name: `knowledge_${string}`;
  help: string;
  /** A label has few values, which are known in advance. It never contains an id, an address or text from a caller. */
  labels?: readonly Label[];
}

/** A histogram in seconds. `buckets` are the upper bounds. */
export interface HistogramDeclaration<Label extends string> extends MetricDeclaration<Label> {
  buckets: readonly number[];
}

/** The metrics of one process. Two declarations with the same name give the same metric. */
export interface Metrics {
  counter<Label extends string>(declaration: MetricDeclaration<Label>): Counter<Label>;
  gauge<Label extends string>(declaration: MetricDeclaration<Label>): Gauge<Label>;
  histogram<Label extends string>(declaration: HistogramDeclaration<Label>): Histogram<Label>;
  /**
   * Adds a gauge whose value is computed at each reading. It is left out if the value is undefined or
   * cannot be read.
   */
  read(declaration: MetricDeclaration<never>, value: () => MetricReading): void;
  /** Adds a counter whose totals are kept elsewhere and read at each reading. */
  readTotal<Label extends string>(
    declaration: MetricDeclaration<Label>,
    totals: () => readonly (readonly [labels: Readonly<Record<Label, string>>, total: number])[],
  ): void;
  /** Adds the metrics of Node and of the system, such as the delay of the event loop. */
  addProcess(): void;
  /** Returns all metrics in the text format of Prometheus. */
  expose(): Promise<{ contentType: string; body: string }>;
}

/** A value at the time of reading. */
export type MetricReading = number | undefined | Promise<number | undefined>;

const nothing = (): void => undefined;

/** One metric and child for everything. */
const silent = {
  inc: nothing,
  dec: nothing,
  set: nothing,
  observe: nothing,
  reset: nothing,
  remove: nothing,
  labels: (): unknown => silent,
};

/** Keeps nothing, for a process whose metrics nobody reads. */
export const noMetrics: Metrics = {
  counter: () => silent as never,
  gauge: () => silent as never,
  histogram: () => silent as never,
  read: nothing,
  readTotal: nothing,
  addProcess: nothing,
  expose: () => Promise.resolve({ contentType: 'text/plain', body: '' }),
};

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

/** The value of a key, which is made when it is first asked for. A series of a metric is looked up only once so. */
export function known<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
