import { AsyncLocalStorage } from 'node:async_hooks';

/** Attributes of a span. Each has few values; none identifies a reader or a text. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

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
  end(facts?: { attributes?: Attributes; failure?: string | undefined; at?: number }): void;
}

export interface SpanOptions {
  kind: 'server' | 'client' | 'consumer';
  attributes?: Attributes;
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
