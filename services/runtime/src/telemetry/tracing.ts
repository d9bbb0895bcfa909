import { AsyncLocalStorage } from 'node:async_hooks';

/** Attributes of a span: facts with few values, never who reads or what. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** The part of a recorded trace that belongs to one process. */
export interface Span {
  /** The trace context to send on, as in W3C Trace Context. */
  readonly traceparent: string;
  /** Whether it has ended. Later work does not belong to it. */
  readonly ended: boolean;
  /** Ends it now or at a time (milliseconds since the epoch). `failure` names the kind of error, never its message. */
  end(facts?: { attributes?: Attributes; failure?: string | undefined; at?: number }): void;
}

export interface SpanOptions {
  kind: 'server' | 'client' | 'consumer';
  attributes?: Attributes;
  /** Trace contexts of other traces that this span also works for. */
  links?: readonly string[];
  /** Whether a new trace is always recorded, rather than as often as configured. */
  recorded?: boolean;
  /** The start, if not now (milliseconds since the epoch). */
  startedAt?: number;
}

/** Records traces. A trace that is not recorded costs only the reading of its `traceparent`. */
export interface Tracing {
  /** A child of the parent. Undefined if there is no parent or its trace is not recorded. */
  child(name: string, parent: string | undefined, options: SpanOptions): Span | undefined;
  /** A child as above. Without a valid parent it starts a trace, recorded as often as configured. */
  begin(name: string, parent: string | undefined, options: SpanOptions): Span | undefined;
  /** Runs the function with the span as `current`. */
  within<T>(span: Span, run: () => T): T;
  /** The span of the running code, until that span ends. */
  current(): Span | undefined;
  /** Sends the remaining spans, for at most 3 s. */
  close(): Promise<void>;
}

/** A tracing that records nothing. */
export const noTracing: Tracing = {
  child: () => undefined,
  begin: () => undefined,
  within: (_span, run) => run(),
  current: () => undefined,
  close: () => Promise.resolve(),
};

/** Finds the span of the running code. It costs nothing until its first use. */
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
