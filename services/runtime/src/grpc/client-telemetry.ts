import type { Telemetry } from '../telemetry/telemetry.js';
import type { Span } from '../telemetry/tracing.js';
import type { Method } from './definition.js';
import { callSeconds, childrenByCode, endSpan, rpcAttributes, rpcName } from './server-telemetry.js';

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
