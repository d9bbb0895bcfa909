import { address, fraction, integer, text, url } from '../config/variable.js';

/** The variables for the metrics and traces of every process. */
export const telemetryVariables = {
  METRICS_ADDRESS: address({ optional: true, description: 'where GET /metrics answers; absent: nowhere' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: url({ optional: true, description: 'an OTLP/HTTP collector; absent: no traces' }),
  OTEL_TRACES_SAMPLER_ARG: fraction({ default: 0.05, description: 'the part of new traces that is recorded' }),
  OTEL_BSP_SCHEDULE_DELAY: integer({ min: 10, max: 60_000, default: 5000, description: 'milliseconds between sends' }),
  OTEL_RESOURCE_ATTRIBUTES: text({
    optional: true,
    accepts: (input) => /^[\w.-]+=[^,=]*(,[\w.-]+=[^,=]*)*$/.test(input),
    expected: 'name=value, separated by commas',
    description: 'where the process runs',
  }),
};
