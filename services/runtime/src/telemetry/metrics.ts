import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The name of a metric (base units, `_total` for counters), its meaning and its labels. */
export interface MetricDeclaration<Label extends string> {
  name: `knowledge_${string}`;
  help: string;
  /** Each label has few values, known beforehand: never an id, an address or text from a caller. */
  labels?: readonly Label[];
}

/** A histogram of seconds, with the upper bounds of its buckets. */
export interface HistogramDeclaration<Label extends string> extends MetricDeclaration<Label> {
  buckets: readonly number[];
}

/** The metrics of one process. A name that is declared twice gives the same metric. */
export interface Metrics {
  counter<Label extends string>(declaration: MetricDeclaration<Label>): Counter<Label>;
  gauge<Label extends string>(declaration: MetricDeclaration<Label>): Gauge<Label>;
  histogram<Label extends string>(declaration: HistogramDeclaration<Label>): Histogram<Label>;
  /** A gauge computed when the metrics are read. It is absent while the value is undefined or fails. */
  read(declaration: MetricDeclaration<never>, value: () => Reading): void;
  /** A counter whose totals are kept elsewhere and read with the metrics. */
  readTotal<Label extends string>(
    declaration: MetricDeclaration<Label>,
    totals: () => readonly (readonly [labels: Readonly<Record<Label, string>>, total: number])[],
  ): void;
  /** Adds the metrics of Node and the system, such as the delay of the event loop. */
  addProcess(): void;
  /** All metrics in the text format of Prometheus. */
  expose(): Promise<{ contentType: string; body: string }>;
}

type Reading = number | undefined | Promise<number | undefined>;

/** Makes the metrics of a process. Each series carries the process name. */
export function createMetrics(process: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  const known = (name: string): unknown => registry.getSingleMetric(name);
  const registers = [registry];
  return {
    counter: <Label extends string>({ name, help, labels = [] }: MetricDeclaration<Label>) =>
      (known(name) as Counter<Label> | undefined) ?? new Counter({ name, help, labelNames: labels, registers }),
    gauge: <Label extends string>({ name, help, labels = [] }: MetricDeclaration<Label>) =>
      (known(name) as Gauge<Label> | undefined) ?? new Gauge({ name, help, labelNames: labels, registers }),
    histogram: <Label extends string>({ name, help, labels = [], buckets }: HistogramDeclaration<Label>) =>
      (known(name) as Histogram<Label> | undefined) ??
      new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers }),
    read: ({ name, help }, value) => {
      const gauge: Gauge = new Gauge({
        name,
        help,
        registers,
        collect: async () => {
          const now = await orNothing(value);
          if (now === undefined || !Number.isFinite(now)) gauge.remove();
          else gauge.set(now);
        },
      });
      gauge.remove();
    },
    readTotal: ({ name, help, labels = [] }, totals) => {
      const counter: Counter = new Counter({
        name,
        help,
        labelNames: labels,
        registers,
        collect: () => {
          counter.reset();
          for (const [by, total] of totals()) counter.inc(by, total);
        },
      });
    },
    addProcess: () => collectDefaultMetrics({ register: registry }),
    expose: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  };
}

async function orNothing(value: () => Reading): Promise<number | undefined> {
  try {
    return await value();
  } catch {
    return undefined;
  }
}
