import {
  type Link,
  ROOT_CONTEXT,
  type SpanOptions as SdkSpanOptions,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from '../log/logger.js';
import type { Metrics } from './metrics.js';
import {
  createSpanScope,
  formatTraceparent,
  parseTraceparent,
  type Span,
  type SpanAttributes,
  type SpanOptions,
  type TraceContext,
  type Tracing,
} from './tracing.js';

export interface OtlpTracingOptions {
  /** The base URL of the collector, such as `http://host:4318`. Spans are sent to its path `/v1/traces`. */
  endpoint: string;
  /** The share of new traces that is recorded, 0 to 1. If a caller began the trace, the caller decides. */
  ratio: number;
  /** The time for which spans are collected before they are sent. */
  delayMs: number;
  /** Attributes of the process, e.g. `service.name`. */
  resource: SpanAttributes;
  log: Logger;
  metrics: Metrics;
}

const closeLimitMs = 3000;

/** Records spans with the OpenTelemetry SDK and sends them by OTLP over HTTP. Import this file only when it is used. */
export function startOtlpTracing(options: OtlpTracingOptions): Tracing {
  const url = `${options.endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = reporting(new OTLPTraceExporter({ url, timeoutMillis: 5000 }), options);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ ...options.resource }),
    // The SDK creates only spans that are recorded, so it must sample all of them.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: options.delayMs })],
  });
  const tracer = provider.getTracer('knowledge');

  const start = (name: string, parent: TraceContext | undefined, options: SpanOptions): Span => {
    const context =
      parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...toSdk(parent), isRemote: true });
    const links = (options.links ?? []).map(parseTraceparent).filter((each) => each !== undefined);
    const begun: SdkSpanOptions = {
      kind: kinds[options.kind],
      attributes: { ...options.attributes },
      links: links.map((each): Link => ({ context: toSdk(each) })),
      ...(options.startedAt !== undefined && { startTime: options.startedAt }),
    };
    const span = tracer.startSpan(name, begun, context);
    const { traceId, spanId } = span.spanContext();
    let ended = false;
    return {
      traceparent: formatTraceparent({ traceId, spanId, sampled: true }),
      get ended() {
        return ended;
      },
      end({ attributes, failure, at } = {}) {
        if (ended) return;
        ended = true;
        if (attributes !== undefined) span.setAttributes({ ...attributes });
        if (failure !== undefined) span.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR });
        span.end(at);
      },
    };
  };

  return {
    child(name, parent, options) {
      const context = parseTraceparent(parent);
      return context?.sampled ? start(name, context, options) : undefined;
    },
    begin(name, parent, more) {
      const context = parseTraceparent(parent);
      const recorded = context?.sampled ?? (more.recorded === true || Math.random() < options.ratio);
      return recorded ? start(name, context, more) : undefined;
    },
    ...createSpanScope(),
    close: async () => {
      let timer: NodeJS.Timeout | undefined;
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, closeLimitMs);
      });
      await Promise.race([provider.shutdown().catch(() => undefined), limit]);
      clearTimeout(timer);
    },
  };
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;

function toSdk({ traceId, spanId, sampled }: TraceContext) {
  return { traceId, spanId, traceFlags: sampled ? 1 : 0 };
}

/** Makes the exporter count failures and log one line a minute at most, since the SDK does not report them. */
function reporting(exporter: SpanExporter, { log, metrics }: OtlpTracingOptions): SpanExporter {
  const spans = metrics.counter({
    name: 'knowledge_trace_spans_total',
    help: 'Spans that were handed to the collector, by result',
    labels: ['result'],
  });
  let toldAt = Number.NEGATIVE_INFINITY;
  return {
    export: (batch, done) =>
      exporter.export(batch, (result) => {
        spans.inc({ result: result.code === 0 ? 'sent' : 'failed' }, batch.length);
        if (result.code !== 0 && performance.now() - toldAt > 60_000) {
          toldAt = performance.now();
          log.warn(
            { err: result.error, spans: batch.length },
            'the trace collector did not accept spans; they are lost',
          );
        }
        done(result);
      }),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}
