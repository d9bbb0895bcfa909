import { randomUUID } from 'node:crypto';
import type { Config } from '../config/read-config.js';
import { address, fraction, integer, text, url } from '../config/variable.js';
import type { Logger } from '../log/logger.js';
import { type Metrics, noMetrics } from './metrics.js';
import { serveMetrics } from './metrics-server.js';
import { type Attributes, noTracing, type Tracing } from './tracing.js';

/** Whether anybody reads the metrics or the traces. */
export function isWatched({ metrics, tracing }: Pick<Telemetry, 'metrics' | 'tracing'>): boolean {
  return metrics !== noMetrics || tracing !== noTracing;
}

/** The metrics and traces of a process. */
export interface Telemetry {
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** The URL of the metrics; undefined if they are not served. */
  readonly metricsUrl: string | undefined;
  /** Closes metrics and traces. Close them last, so that they also record how other parts close. */
  close(): Promise<void>;
}

/**
 * Starts metrics and traces, each only if it is configured. What nobody reads is not loaded and not collected, since
 * that would cost a busy process several percent of its time.
 */
export async function startTelemetry(
  process: string,
  config: Config<typeof telemetryVariables>,
  log: Logger,
): Promise<Telemetry> {
  const metrics = await startMetrics(process, config);
  metrics
    .gauge({
      name: 'knowledge_info',
      help: '1 while the process runs; the label has its Node version',
      labels: ['node'],
    })
    .set({ node: globalThis.process.version }, 1);
  const tracing = await startTracing(process, config, log, metrics);
  if (config.METRICS_ADDRESS === undefined) {
    return { metrics, tracing, metricsUrl: undefined, close: () => tracing.close() };
  }
  metrics.addProcess();
  const server = await serveMetrics(metrics, config.METRICS_ADDRESS);
  log.info({ url: server.url }, 'serving metrics');
  return {
    metrics,
    tracing,
    metricsUrl: server.url,
    close: async () => {
      await tracing.close();
      await server.close();
    },
  };
}

async function startMetrics(process: string, config: Config<typeof telemetryVariables>): Promise<Metrics> {
  if (config.METRICS_ADDRESS === undefined) return noMetrics;
  const { createMetrics } = await import('./prometheus-metrics.js');
  return createMetrics(process);
}

async function startTracing(
  process: string,
  config: Config<typeof telemetryVariables>,
  log: Logger,
  metrics: Metrics,
): Promise<Tracing> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return noTracing;
  // Loading the SDK takes a tenth of a second, so it is imported only when it is used.
  const { startOtlpTracing } = await import('./otlp-tracing.js');
  return startOtlpTracing({
    endpoint,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    delayMs: config.OTEL_BSP_SCHEDULE_DELAY,
    resource: {
      'service.name': process,
      'service.namespace': 'knowledge',
      'service.instance.id': randomUUID(),
      ...readAttributes(config.OTEL_RESOURCE_ATTRIBUTES),
    },
    log,
    metrics,
  });
}

function readAttributes(list = ''): Attributes {
  const pairs = list.split(',').filter((pair) => pair !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** The variables for the metrics and traces of every process. */
export const telemetryVariables = {
  METRICS_ADDRESS: address({ optional: true, description: 'where GET /metrics answers; absent: nowhere' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: url({ optional: true, description: 'an OTLP/HTTP collector; absent: no traces' }),
  OTEL_TRACES_SAMPLER_ARG: fraction({ default: 0.05, description: 'the part of new traces that is recorded' }),
  OTEL_BSP_SCHEDULE_DELAY: integer({ min: 10, max: 60_000, default: 5000, description: 'milliseconds between sends' }),
  OTEL_RESOURCE_ATTRIBUTES: text({
    optional: true,
    accepts: (input) => /^[\w.-]+=[^,=]*(,[\w.-]+=[^,=]*)*$/.test(input),
    expected: 'name=value, separated by commas',
    description: 'where the process runs',
  }),
};
