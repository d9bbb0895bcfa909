import type { Telemetry } from '../telemetry/telemetry.js';
import type { Span } from '../telemetry/tracing.js';
import type { Method } from './definition.js';
import { callSeconds, childrenByCode, endSpan, rpcAttributes, rpcName } from './server-telemetry.js';

/** Sees one unary call that is made. */
export interface ClientCallWatch {
  /** What goes with the call in the place of what its maker gave. */
  readonly traceparent: string | undefined;
  end(code: number): void;
}

/** For whom a call is made. */
export interface Traced {
  traceparent?: string | undefined;
  alongside?: readonly string[] | undefined;
}

/**
 * Makes what watches the calls of one unary method. A call that carries items of several requests has a trace of its own,
 * recorded if one of theirs is. It links to those, each of which shows the time it travelled with a link back.
 */
export function watchCalls({ metrics, tracing }: Telemetry, method: Method): (options: Traced) => ClientCallWatch {
  const rpc = rpcName(method);
  const attributes = rpcAttributes(rpc);
  const durations = childrenByCode(
    metrics.histogram({
      name: 'knowledge_grpc_client_duration_seconds',
      help: 'Time from a unary call to its answer as its caller sees it, by method and status code',
      labels: ['rpc', 'code'],
      buckets: callSeconds,
    }),
    rpc,
  );
  const start = ({ traceparent, alongside }: Traced): { span: Span | undefined; others: readonly string[] } => {
    if (alongside === undefined) {
      return { span: tracing.child(rpc, traceparent, { kind: 'client', attributes }), others: [] };
    }
    const others = alongside.filter((each) => each.endsWith('-01'));
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
