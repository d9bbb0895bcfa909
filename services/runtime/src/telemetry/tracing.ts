import { AsyncLocalStorage } from 'node:async_hooks';
import { randomFillSync } from 'node:crypto';

/** Attributes of a span. Each has few values; none identifies a reader or a text. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** One operation of a process in a recorded trace. */
export interface Span {
  /** The W3C trace context of this span, to send on with further calls. */
  readonly traceparent: string;
  /** Whether the span has ended. Later operations do not become its children. */
  readonly ended: boolean;
  /**
   * Ends the span now, or at a given time (milliseconds since 1970). `failure` is the kind of error,
   * never its message.
   */
  end(facts?: { attributes?: SpanAttributes; failure?: string | undefined; at?: number }): void;
}

export interface SpanOptions {
  kind: 'server' | 'client';
  attributes?: SpanAttributes;
  /** The trace contexts of other traces that this span also belongs to. */
  links?: readonly string[];
  /** Whether a new trace is recorded in any case. Otherwise the configured ratio decides. */
  recorded?: boolean;
  /** The start of the span in milliseconds since 1970 (default: now). */
  startedAt?: number;
}

/** Records traces. For an unrecorded trace it only reads the `traceparent`. */
export interface Tracing {
  /** Starts a child span of the parent. Undefined if there is no parent or its trace is not recorded. */
  child(name: string, parent: string | undefined, options: SpanOptions): Span | undefined;
  /** Starts a child span. Without a valid parent it starts a new trace; the configured share of new traces is recorded. */
  begin(name: string, parent: string | undefined, options: SpanOptions): Span | undefined;
  /** Runs the function. Meanwhile `current` returns the span. */
  within<T>(span: Span, run: () => T): T;
  /** The span of the running code; undefined when that span has ended. */
  current(): Span | undefined;
  /** Sends the remaining spans and waits at most 3 s. */
  close(): Promise<void>;
}

/** Records nothing, for processes without a collector. */
export const noTracing: Tracing = {
  child: () => undefined,
  begin: () => undefined,
  within: (_span, run) => run(),
  current: () => undefined,
  close: () => Promise.resolve(),
};

/** Remembers the span of the running code. It costs nothing until its first use. */
export function createSpanScope(): Pick<Tracing, 'within' | 'current'> {
  const scope = new AsyncLocalStorage<Span>();
  return {
    within: (span, run) => scope.run(span, run),
    current: () => {
      const span = scope.getStore();
      return span === undefined || span.ended ? undefined : span;
    },
  };
}

/** A W3C trace context (version 00), without `tracestate`. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Whether the trace is recorded. */
  readonly sampled: boolean;
}

/** Reads a `traceparent`. Undefined if it is absent or malformed (W3C section 4.3). */
export function parseTraceparent(value: string | undefined): TraceContext | undefined {
  const match = value === undefined || value.length > maxLength ? null : pattern.exec(value);
  if (match === null) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = match;
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Writes a `traceparent`. */
export function formatTraceparent({ traceId, spanId, sampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;
}

/**
 * Rewrites a caller's `traceparent` before it is sent on, so that no other text of the caller is included. Undefined if
 * it is absent or malformed.
 */
export function renewTraceparent(sent: string | undefined): string | undefined {
  const context = parseTraceparent(sent);
  return context && formatTraceparent(context);
}

/** Starts a trace that is not recorded. Its id appears in the log lines of all processes that handle the request. */
export function unrecordedTraceparent(): string {
  return unrecordedTrace().traceparent;
}

/** Starts a trace that is not recorded. Its `traceparent` is only written when it is read. */
export function unrecordedTrace(): { readonly traceId: string; readonly traceparent: string } {
  if (at === digits.length) {
    digits = randomFillSync(random).toString('hex');
    at = 0;
  }
  at += 48;
  return new UnrecordedTrace(digits.slice(at - 48, at));
}

class UnrecordedTrace {
  constructor(private readonly ids: string) {}

  get traceId(): string {
    return this.ids.slice(0, 32);
  }

  get traceparent(): string {
    return `00-${this.traceId}-${this.ids.slice(32)}-00`;
  }
}

/** Returns the rewritten `traceparent` of a recorded trace, for storing. Others are undefined. */
export function recordedTrace(traceparent: string | undefined): string | undefined {
  const context = parseTraceparent(traceparent);
  return context?.sampled ? formatTraceparent(context) : undefined;
}

/** Reads the trace id from a well-formed `traceparent`. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}

const maxLength = 512;
const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[\x21-\x7e]*)?$/;

// Every request needs random digits. Generating many at once is faster.
const random = Buffer.alloc(24 * 256);
let digits = '';
let at = 0;
