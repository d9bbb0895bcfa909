import { expect, it } from 'vitest';
import {
  formatTraceparent,
  parseTraceparent,
  recordedTrace,
  renewTraceparent,
  traceIdOf,
  unrecordedTraceparent,
} from './tracing.js';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

it('reads and writes a traceparent by the W3C standard', () => {
  const context = { traceId, spanId, sampled: true };
  expect(parseTraceparent(`00-${traceId}-${spanId}-01`)).toEqual(context);
  expect(formatTraceparent(context)).toBe(`00-${traceId}-${spanId}-01`);
  expect(parseTraceparent(`00-${traceId}-${spanId}-fe`)?.sampled).toBe(false);
  // A later version of the standard may append more fields.
  expect(parseTraceparent(`cc-${traceId}-${spanId}-01-what-comes`)).toEqual(context);
});

it.each([
  ...[undefined, '', traceId, `00-${traceId}-${spanId}`, `00-${traceId}-${spanId}-01-more`],
  ...[`ff-${traceId}-${spanId}-01`, `00-${'0'.repeat(32)}-${spanId}-01`, `00-${traceId}-${'0'.repeat(16)}-01`],
  ...[`00-${traceId.toUpperCase()}-${spanId}-01`, `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`],
  ...[`cc-${traceId}-${spanId}-01-${'x'.repeat(600)}`, `01-${traceId}-${spanId}-00-\xe9`],
  `01-${traceId}-${spanId}-00-a\nb`,
])('%j is not a valid traceparent', (value) => {
  expect(parseTraceparent(value)).toBeUndefined();
  expect(renewTraceparent(value)).toBeUndefined();
  expect(recordedTrace(value)).toBeUndefined();
});

it('neither sends on nor stores text that a caller added to a traceparent', () => {
  const sent = `cc-${traceId}-${spanId}-01-${'text of a stranger'.replaceAll(' ', '.')}`;
  expect(renewTraceparent(sent)).toBe(`00-${traceId}-${spanId}-01`);
  expect(recordedTrace(sent)).toBe(`00-${traceId}-${spanId}-01`);
});

it('makes unrecorded traces with unique ids, and does not store them', () => {
  const made = Array.from({ length: 1000 }, unrecordedTraceparent);
  expect(new Set(made.map(traceIdOf)).size).toBe(1000);
  for (const each of made) {
    expect(parseTraceparent(each)).toMatchObject({ sampled: false });
    expect(recordedTrace(each)).toBeUndefined();
  }
});
