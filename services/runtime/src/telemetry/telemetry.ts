import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config/read-config.js';
import { address, fraction, integer, joinAddress, listenAt, string, url } from '../config/variable.js';
import type { Logger } from '../log/logger.js';
import { known, type Metrics, noMetrics } from './metrics.js';
import {
  noTracing,
  renewTraceparent,
  type Span,
  type SpanAttributes,
  type Tracing,
  traceIdOf,
  unrecordedTrace,
} from './tracing.js';

/** Whether anybody reads the metrics or the traces. */
export function isWatched({ metrics, tracing }: Pick<Telemetry, 'metrics' | 'tracing'>): boolean {
  return metrics !== noMetrics || tracing !== noTracing;
}

/** The metrics and traces of a process. */
export interface Telemetry {
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  /** Lets the port of the metrics answer `/healthz` and `/readyz` too, also while the process has no room for connections. */
  answerProbes(answer: RequestListener): void;
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
    return { metrics, tracing, answerProbes: () => undefined, close: () => tracing.close() };
  }
  metrics.addProcess();
  const server = await serveMetrics(metrics, config.METRICS_ADDRESS);
  log.info({ url: server.url }, 'serving metrics');
  return {
    metrics,
    tracing,
    answerProbes: server.answerProbes,
    close: async () => {
      await tracing.close();
      await server.close();
    },
  };
}

async function startMetrics(process: string, config: Config<typeof telemetryVariables>) {
  if (config.METRICS_ADDRESS === undefined) return noMetrics;
  const { createMetrics } = await import('./prometheus-metrics.js');
  return createMetrics(process);
}

async function startTracing(process: string, config: Config<typeof telemetryVariables>, log: Logger, metrics: Metrics) {
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

function readAttributes(list = ''): SpanAttributes {
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
  OTEL_RESOURCE_ATTRIBUTES: string({
    optional: true,
    accepts: (input) => /^[\w.-]+=[^,=]*(,[\w.-]+=[^,=]*)*$/.test(input),
    expected: 'name=value, separated by commas',
    description: 'where the process runs',
  }),
};

/** Serves the metrics of a process over HTTP. */
export interface MetricsServer {
  /** `http://host:port/metrics`, with the actual port. */
  readonly url: string;
  answerProbes: Telemetry['answerProbes'];
  close(): Promise<void>;
}

const probePaths: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz']);

/** Serves only `GET /metrics` and probes, at `host:port`. Rejects if the address cannot be used. */
export async function serveMetrics(metrics: Metrics, address: string): Promise<MetricsServer> {
  let probed: RequestListener | undefined;
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5000 }, (request, response) => {
    const [path] = (request.url ?? '').split('?');
    if (probed !== undefined && probePaths.has(path)) return probed(request, response);
    response.setHeader('x-content-type-options', 'nosniff');
    const refuse = (status: number, words: string, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(`${words}\n`);
    };
    if (path !== '/metrics') return refuse(404, 'The metrics are at /metrics.');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return refuse(405, 'Only GET and HEAD.', { allow: 'GET, HEAD' });
    }
    metrics.expose().then(
      ({ contentType, body }) => response.writeHead(200, { 'content-type': contentType }).end(body),
      () => refuse(500, 'The metrics cannot be read.'),
    );
  });
  // A few collectors need few connections. More could use up the file descriptors of the process.
  server.maxConnections = 100;
  await listenAt(address, (host, port) => listening(server, host, port));
  const { address: host, port } = server.address() as AddressInfo;
  return {
    url: `http://${joinAddress(host, port)}/metrics`,
    answerProbes(answer) {
      probed = answer;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

export interface RequestTrace {
  readonly traceId: string;
  /** The `traceparent` header to send to services for this request. */
  readonly traceparent: string;
  /** The span of the request; undefined if the trace is not recorded. */
  readonly span?: Span | undefined;
}

/** The route label of requests without a route. Their paths would let callers choose label values. */
export const unmatchedRoute = 'unmatched';

/** Measures rate, errors and duration of requests by route, and begins the trace of each request. */
export function watchRequests({ metrics, tracing }: Telemetry) {
  const durations = metrics.histogram({
    name: 'knowledge_http_request_duration_seconds',
    help: 'Time from a request to its response, by route, method and status',
    labels: ['route', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3],
  });
  const sheds = metrics.counter({
    name: 'knowledge_http_shed_total',
    help: 'Requests and connections that were refused because the process cannot keep up',
  });
  const children = new Map<string, Map<string, Map<number, Child>>>();
  const childOf = (route: string, method: string, status: number) => {
    // Three look-ups of known strings cost less than one of a key that is put together for each request.
    const ofRoute = known(children, route, () => new Map<string, Map<number, Child>>());
    const ofMethod = known(ofRoute, method, () => new Map<number, Child>());
    return known(ofMethod, status, () => durations.labels({ route, method, status: String(status) }));
  };
  return {
    /** Begins the trace. A missing or malformed `traceparent` of the caller begins a new one. */
    begin(method: string, route: string, { traceparent: value }: IncomingHttpHeaders): RequestTrace {
      const sent = typeof value === 'string' ? value : undefined;
      const name = methodName(method);
      const attributes = { 'http.request.method': name, 'http.route': route };
      const span = tracing.begin(`${name} ${route}`, sent, { kind: 'server', attributes });
      const traceparent = span?.traceparent ?? renewTraceparent(sent);
      if (traceparent !== undefined) return { span, traceparent, traceId: traceIdOf(traceparent) };
      return unrecordedTrace();
    },
    end({ span }: RequestTrace, method: string, route: string, status: number, ms: number) {
      const name = methodName(method);
      childOf(route, name, status).observe(ms / 1000);
      if (span === undefined) return;
      const failure = status >= 500 ? String(status) : undefined;
      span.end({ attributes: { 'http.response.status_code': status }, failure });
    },
    /** Counts a request or connection that was refused because the process is overloaded. */
    shed: () => sheds.inc(),
  };
}

export type RequestWatch = ReturnType<typeof watchRequests>;

/** A series of the histogram. */
type Child = { observe(seconds: number): void };

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PUT', 'PATCH']);

function methodName(method: string) {
  return methods.has(method) ? method : 'other';
}
