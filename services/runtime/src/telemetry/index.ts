export {
  type CountTransitions,
  countTransitions,
  known,
  type Metrics,
} from './metrics.js';
export {
  type RequestTrace,
  type RequestWatch,
  startTelemetry,
  type Telemetry,
  telemetryVariables,
  unmatchedRoute,
  watchRequests,
} from './telemetry.js';
export {
  recordedTrace,
  renewTraceparent,
  type Span,
  type SpanOptions,
  type Tracing,
  traceIdOf,
  unrecordedTrace,
  unrecordedTraceparent,
} from './tracing.js';
