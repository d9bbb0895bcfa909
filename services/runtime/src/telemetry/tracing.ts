import { AsyncLocalStorage } from 'node:async_hooks';

/** What a span may say about itself: facts of few values, never who or what is read. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** The part that a process has in a trace that is recorded. */
export interface Span {
  /** The context to hand on, as in W3C Trace Context. */
  readonly traceparent: string;
  /** Whether it has ended; what happens from then on belongs to something else. */
  readonly ended: boolean;
  /** Ends it, now or at a time (milliseconds since the epoch). `failure` names what went wrong, never its message. */
  end(facts?: { attributes?: Attributes; failure?: string | undefined; at?: number }): void;
}

/** How a span begins. */
export interface SpanOptions {
  kind: 'server' | 'client' | 'consumer';
  attributes?: Attributes;
  /** The traceparents of spans of other traces that this one also works for. */
  links?: readonly string[];
  /** Whether a trace that begins here is recorded for sure; else it is recorded as often as it is configured. */
  recorded?: boolean;
  /** When it began, if not now (milliseconds since the epoch). */
  startedAt?: number;
}

/** Records traces. One that is not recorded costs nothing but the reading of its `traceparent`. */
export interface Tracing {
  /** A child of the parent if that is recorded; undefined if it is not, or if there is none. */
  child(name: string, parent: string | undefined, options: SpanOptions): Span | undefined;
  /** A child as above; without a (well-formed) parent the beginning of a trace, recorded as often as it is configured. */
  begin(name: string, parent: string | undefined, options: SpanOptions): Span | undefined;
  /** Runs so that what happens inside finds the span as `current`. */
  within<T>(span: Span, run: () => T): T;
  /** The span that the running code works for, until that span ends. */
  current(): Span | undefined;
  /** Sends what is left, for at most 3 s. */
  close(): Promise<void>;
}

/** Records nothing. */
export const noTracing: Tracing = {
  child: () => undefined,
  begin: () => undefined,
  within: (_span, run) => run(),
  current: () => undefined,
  close: () => Promise.resolve(),
};

/** Where the code that runs finds its span; until its first use it costs nothing. */
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
