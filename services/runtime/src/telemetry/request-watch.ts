import type { Telemetry } from './telemetry.js';
import { renewTraceparent, type Span, traceIdOf, unrecordedTrace } from './tracing.js';

export interface RequestTrace {
  readonly traceId: string;
  /** The `traceparent` header to send to services for this request. */
  readonly traceparent: string;
  /** The span of the request; undefined if the trace is not recorded. */
  readonly span?: Span | undefined;
}

/** Measures and traces every request, also the requests that the fast path serves. */
export interface RequestWatch {
  /** Begins the trace. `sent` is the caller's `traceparent`; if it is missing or malformed, a new trace begins. */
  begin(method: string, route: string, sent: string | undefined): RequestTrace;
  end(watched: RequestTrace, method: string, route: string, status: number, ms: number): void;
  /** Counts a request or connection that was refused because the process is overloaded. */
  shed(): void;
}

/** The route label of requests without a route. Their paths would let callers choose label values. */
export const unmatchedRoute = 'unmatched';

/** Measures rate, errors and duration of requests by route, and begins the trace of each request. */
export function watchRequests({ metrics, tracing }: Telemetry): RequestWatch {
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
  const childOf = (route: string, method: string, status: number): Child => {
    // Three look-ups of known strings cost less than one of a key that is put together for each request.
    const ofRoute = known(children, route, () => new Map<string, Map<number, Child>>());
    const ofMethod = known(ofRoute, method, () => new Map<number, Child>());
    return known(ofMethod, status, () => durations.labels({ route, method, status: String(status) }));
  };
  return {
    begin(method, route, sent) {
      const name = methodName(method);
      const attributes = { 'http.request.method': name, 'http.route': route };
      const span = tracing.begin(`${name} ${route}`, sent, { kind: 'server', attributes });
      const traceparent = span?.traceparent ?? renewTraceparent(sent);
      if (traceparent !== undefined) return { span, traceparent, traceId: traceIdOf(traceparent) };
      return unrecordedTrace();
    },
    end({ span }, method, route, status, ms) {
      const name = methodName(method);
      childOf(route, name, status).observe(ms / 1000);
      if (span === undefined) return;
      const failure = status >= 500 ? String(status) : undefined;
      span.end({ attributes: { 'http.response.status_code': status }, failure });
    },
    shed: () => sheds.inc(),
  };
}

/** A series of the histogram. */
type Child = { observe(seconds: number): void };

function known<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS', 'PUT', 'PATCH']);

function methodName(method: string): string {
  return methods.has(method) ? method : 'other';
}
