export type { HistogramDeclaration, MetricDeclaration, Metrics } from './metrics.js';
export { type RequestTrace, type RequestWatch, unmatchedRoute, watchRequests } from './request-watch.js';
export { startTelemetry, type Telemetry } from './telemetry.js';
export {
  recordedTrace,
  renewTraceparent,
  traceIdOf,
  unrecordedTrace,
  unrecordedTraceparent,
} from './traceparent.js';
export type { Attributes, Span, SpanOptions, Tracing } from './tracing.js';
export { type CountTransitions, countTransitions } from './transitions.js';
export { telemetryVariables } from './variables.js';
