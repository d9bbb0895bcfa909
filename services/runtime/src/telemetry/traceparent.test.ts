import { expect, it } from 'vitest';
import {
  formatTraceparent,
  parseTraceparent,
  recordedTrace,
  renewTraceparent,
  traceIdOf,
  unrecordedTraceparent,
} from './traceparent.js';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';

it('a traceparent is read and written as W3C says', () => {
  const context = { traceId, spanId, sampled: true };
  expect(parseTraceparent(`00-${traceId}-${spanId}-01`)).toEqual(context);
  expect(formatTraceparent(context)).toBe(`00-${traceId}-${spanId}-01`);
  expect(parseTraceparent(`00-${traceId}-${spanId}-fe`)?.sampled).toBe(false);
  // A later version may say more.
  expect(parseTraceparent(`cc-${traceId}-${spanId}-01-what-comes`)).toEqual(context);
});

it.each([
  undefined,
  '',
  traceId,
  `00-${traceId}-${spanId}`,
  `00-${traceId}-${spanId}-01-more`,
  `ff-${traceId}-${spanId}-01`,
  `00-${'0'.repeat(32)}-${spanId}-01`,
  `00-${traceId}-${'0'.repeat(16)}-01`,
  `00-${traceId.toUpperCase()}-${spanId}-01`,
  `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
  `cc-${traceId}-${spanId}-01-${'x'.repeat(600)}`,
  `01-${traceId}-${spanId}-00-\xe9`,
  `01-${traceId}-${spanId}-00-a\nb`,
])('%j is none', (value) => {
  expect(parseTraceparent(value)).toBeUndefined();
  expect(renewTraceparent(value)).toBeUndefined();
  expect(recordedTrace(value)).toBeUndefined();
});

it('what a caller added to a traceparent is neither sent on nor stored', () => {
  const sent = `cc-${traceId}-${spanId}-01-${'text of a stranger'.replaceAll(' ', '.')}`;
  expect(renewTraceparent(sent)).toBe(`00-${traceId}-${spanId}-01`);
  expect(recordedTrace(sent)).toBe(`00-${traceId}-${spanId}-01`);
});

it('a trace that nobody records has ids of its own, and is not kept', () => {
  const made = Array.from({ length: 1000 }, unrecordedTraceparent);
  expect(new Set(made.map(traceIdOf)).size).toBe(1000);
  for (const each of made) {
    expect(parseTraceparent(each)).toMatchObject({ sampled: false });
    expect(recordedTrace(each)).toBeUndefined();
  }
});
