export {
  type CountTransitions,
  countTransitions,
  type HistogramDeclaration,
  type MetricDeclaration,
  type Metrics,
} from './metrics.js';
export { type RequestTrace, type RequestWatch, unmatchedRoute, watchRequests } from './request-watch.js';
export { startTelemetry, type Telemetry, telemetryVariables } from './telemetry.js';
export {
  type Attributes,
  recordedTrace,
  renewTraceparent,
  type Span,
  type SpanOptions,
  type Tracing,
  traceIdOf,
  unrecordedTrace,
  unrecordedTraceparent,
} from './tracing.js';
