import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { HistogramDeclaration, MetricDeclaration, MetricReading, Metrics } from './metrics.js';

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

async function orNothing(value: () => MetricReading) {
  try {
    return await value();
  } catch {
    return undefined;
  }
}
