import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What a metric is called (Prometheus: base units, `_total` for counters), what it says, and by what it is divided. */
export interface MetricDeclaration<Label extends string> {
  name: `knowledge_${string}`;
  help: string;
  /** Of few values each, known beforehand: never an id, an address or anything that a caller sends. */
  labels?: readonly Label[];
}

/** A histogram of seconds, with the upper bounds of its buckets. */
export interface HistogramDeclaration<Label extends string> extends MetricDeclaration<Label> {
  buckets: readonly number[];
}

/** The metrics of one process. Asking twice for a name gives the same metric. */
export interface Metrics {
  counter<Label extends string>(declaration: MetricDeclaration<Label>): Counter<Label>;
  gauge<Label extends string>(declaration: MetricDeclaration<Label>): Gauge<Label>;
  histogram<Label extends string>(declaration: HistogramDeclaration<Label>): Histogram<Label>;
  /** A gauge that is read when somebody looks; absent as long as there is nothing to say, or reading it fails. */
  read(declaration: MetricDeclaration<never>, value: () => Reading): void;
  /** A counter that somebody else keeps, read when somebody looks. */
  readTotal<Label extends string>(
    declaration: MetricDeclaration<Label>,
    totals: () => readonly (readonly [labels: Readonly<Record<Label, string>>, total: number])[],
  ): void;
  /** Adds what Node and the system know of the process, such as how late its event loop is. */
  addProcess(): void;
  /** All of it in the text format of Prometheus. */
  expose(): Promise<{ contentType: string; body: string }>;
}

type Reading = number | undefined | Promise<number | undefined>;

/** Makes the metrics of a process, whose name every series carries. */
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
