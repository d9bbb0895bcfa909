import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLogger } from '../log/logger.js';
import { startOtlpTracing } from './otlp-tracing.js';
import { createMetrics } from './prometheus-metrics.js';
import { parseTraceparent, type Tracing, unrecordedTraceparent } from './tracing.js';

interface Sent {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  links: { spanId: string }[];
  status: { code: number };
}

let collector: Server;
let endpoint: string;
let sent: Sent[];
let status: number;

beforeEach(async () => {
  sent = [];
  status = 200;
  collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString());
    // biome-ignore lint/suspicious/noExplicitAny: the test reads only four fields of the OTLP message.
    sent.push(...resourceSpans.flatMap((each: any) => each.scopeSpans.flatMap(({ spans }: any) => spans)));
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
});
afterEach(() => {
  collector.close();
  collector.closeAllConnections();
});

const lines: string[] = [];
function start(ratio: number): Tracing {
  const log = createLogger({ name: 'test', destination: { write: (line) => void lines.push(line) } });
  return startOtlpTracing({ endpoint, ratio, delayMs: 10_000, resource: {}, log, metrics: createMetrics('test') });
}

it('records children of a recorded parent, and sends parents and links to the collector before it closes', async () => {
  const tracing = start(0);
  const other = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
  const parent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const span = tracing.begin('request', parent, { kind: 'server' });
  const child = tracing.child('call', span?.traceparent, { kind: 'client', links: [other] });
  child?.end({ failure: 'UNAVAILABLE' });
  expect(span?.ended).toBe(false);
  span?.end();
  span?.end();
  await tracing.close();
  const [call, request] = sent;
  expect(sent).toHaveLength(2);
  expect(request).toMatchObject({ name: 'request', traceId: 'a'.repeat(32), parentSpanId: 'b'.repeat(16) });
  const parentSpanId = request?.spanId;
  expect(call).toMatchObject({ name: 'call', traceId: 'a'.repeat(32), parentSpanId, status: { code: 2 } });
  expect(call?.links).toMatchObject([{ spanId: '2'.repeat(16) }]);
});

it('records no trace that its caller does not record, and new traces by the ratio', async () => {
  const never = start(0);
  const always = start(1);
  expect(always.begin('request', unrecordedTraceparent(), { kind: 'server' })).toBeUndefined();
  expect(never.begin('request', undefined, { kind: 'server' })).toBeUndefined();
  expect(never.begin('request', 'nonsense', { kind: 'server' })).toBeUndefined();
  expect(always.child('call', undefined, { kind: 'client' })).toBeUndefined();
  const span = always.begin('request', undefined, { kind: 'server' });
  expect(parseTraceparent(span?.traceparent)).toMatchObject({ sampled: true });
  await Promise.all([never.close(), always.close()]);
});

it('finds the span of the running code until that span ends', async () => {
  const tracing = start(1);
  const span = tracing.begin('request', undefined, { kind: 'server' });
  expect(tracing.current()).toBeUndefined();
  if (span === undefined) throw new Error('not recorded');
  await tracing.within(span, async () => {
    await Promise.resolve();
    expect(tracing.current()).toBe(span);
    span.end();
    expect(tracing.current()).toBeUndefined();
  });
  await tracing.close();
});

it('logs the refusal of a collector, which does not delay closing', async () => {
  status = 400;
  const tracing = start(1);
  tracing.begin('request', undefined, { kind: 'server' })?.end();
  const begun = performance.now();
  await tracing.close();
  expect(performance.now() - begun).toBeLessThan(5000);
  expect(lines.join('')).toContain('the trace collector did not accept spans; they are lost');
});
