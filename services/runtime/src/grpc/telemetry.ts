import { status } from '@grpc/grpc-js';
import { known } from '../telemetry/metrics.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import type { Span } from '../telemetry/tracing.js';
import type { Method } from './definition.js';

/** Measures one outgoing unary call from its start to its end. */
export interface ClientCallWatch {
  /** The trace context to send with the call. It replaces the trace context that the calling code passed. */
  readonly traceparent: string | undefined;
  end(code: number): void;
}

/** The traces that include an outgoing call. */
export interface CallTraces {
  traceparent?: string | undefined;
  batchedTraceparents?: readonly string[] | undefined;
}

/**
 * Measures the outgoing calls of one unary method. A batch has its own trace, which is recorded if the trace of one of
 * its items is recorded. The traces link to each other, so each request's trace shows its time in the batch.
 */
export function watchCalls({ metrics, tracing }: Telemetry, method: Method): (options: CallTraces) => ClientCallWatch {
  const rpc = rpcName(method);
  const attributes = rpcAttributes(rpc);
  const durations = childrenByCode(
    metrics.histogram({
      name: 'knowledge_grpc_client_duration_seconds',
      help: 'Time from a unary call to its response as the caller measures it, by method and status code',
      labels: ['rpc', 'code'],
      buckets: callSeconds,
    }),
    rpc,
  );
  const start = ({
    traceparent,
    batchedTraceparents,
  }: CallTraces): { span: Span | undefined; others: readonly string[] } => {
    if (batchedTraceparents === undefined) {
      return { span: tracing.child(rpc, traceparent, { kind: 'client', attributes }), others: [] };
    }
    const others = batchedTraceparents.filter((each) => each.endsWith('-01'));
    if (others.length === 0) return { span: undefined, others };
    return {
      span: tracing.begin(rpc, undefined, { kind: 'client', attributes, links: others, recorded: true }),
      others,
    };
  };
  return (options) => {
    const begun = performance.now();
    const startedAt = Date.now();
    const { span, others } = start(options);
    return {
      traceparent: span?.traceparent ?? options.traceparent,
      end(code) {
        durations(code).observe((performance.now() - begun) / 1000);
        endSpan(span, code);
        if (span === undefined) return;
        for (const other of others) {
          const links = [span.traceparent];
          endSpan(tracing.child(`${rpc} (in a batch)`, other, { kind: 'client', attributes, links, startedAt }), code);
        }
      },
    };
  };
}

/** Measures one incoming call from its start to its end. */
export interface CallWatch {
  /** The span of the call; undefined if its trace is not recorded. */
  readonly span: Span | undefined;
  end(code: number): void;
}

/** Measures the number, errors and duration of the incoming calls of one method. Unary calls also get a span. */
export function watchMethod({ metrics, tracing }: Telemetry, method: Method): (parent?: string) => CallWatch {
  const rpc = rpcName(method);
  const unary = !method.responseStream;
  const handled = childrenByCode(
    metrics.counter({
      name: 'knowledge_grpc_server_handled_total',
      help: 'Calls that ended, by method and status code; a stream counts when it ends',
      labels: ['rpc', 'code'],
    }),
    rpc,
  );
  const durations = childrenByCode(
    metrics.histogram({
      name: 'knowledge_grpc_server_duration_seconds',
      help: 'Time from a unary call to its response, by method and status code',
      labels: ['rpc', 'code'],
      buckets: callSeconds,
    }),
    rpc,
  );
  const running = metrics
    .gauge({
      name: 'knowledge_grpc_server_in_flight',
      help: 'Calls and streams that run now, by method',
      labels: ['rpc'],
    })
    .labels({ rpc });
  return (parent) => {
    const begun = performance.now();
    const span = unary ? tracing.begin(rpc, parent, { kind: 'server', attributes: rpcAttributes(rpc) }) : undefined;
    running.inc();
    return {
      span,
      end(code) {
        running.dec();
        handled(code).inc();
        if (unary) durations(code).observe((performance.now() - begun) / 1000);
        endSpan(span, code);
      },
    };
  };
}

/** Upper bounds of the duration histogram in seconds. The deadlines 1.5 s and 3 s are among them. */
const callSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 3];

/** The name of a method in metrics and spans, e.g. `knowledge.quota.v1.QuotaService/Consume`. */
function rpcName({ path }: Method) {
  return path.slice(1);
}

/** The span attributes of a method. */
function rpcAttributes(rpc: string): Record<string, string> {
  const [service = '', method = ''] = rpc.split('/');
  return { 'rpc.system': 'grpc', 'rpc.service': service, 'rpc.method': method };
}

/** Returns a metric's child for each status code of one method. Each child is looked up only once. */
function childrenByCode<Child>(
  metric: { labels(labels: { rpc: string; code: string }): Child },
  rpc: string,
): (code: number) => Child {
  const children = new Map<number, Child>();
  return (code) => known(children, code, () => metric.labels({ rpc, code: codeName(code) }));
}

/** Ends the span of a call. The span shows no failure if the caller made a mistake. */
function endSpan(span: Span | undefined, code: number) {
  if (span === undefined) return;
  const failure = faults.has(code) ? codeName(code) : undefined;
  span.end({ attributes: { 'rpc.grpc.status_code': code }, failure });
}

const faults: ReadonlySet<number> = new Set([
  status.UNKNOWN,
  status.DEADLINE_EXCEEDED,
  status.INTERNAL,
  status.UNAVAILABLE,
  status.DATA_LOSS,
  status.UNIMPLEMENTED,
]);

function codeName(code: number) {
  return status[code] ?? 'UNKNOWN';
}
