import { afterEach, beforeEach, expect, it } from 'vitest';
import { KnowledgeError } from '../errors/knowledge-error.js';
import type { Metrics } from '../telemetry/metrics.js';
import { createMetrics } from '../telemetry/prometheus-metrics.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { createSpanScope, noTracing, type Span, type SpanOptions } from '../telemetry/tracing.js';
import { telemetryOf } from '../testing/calls.js';
import { call, closeFixtures, echoing, type Note, read, recordingLog, seeing } from './serving.fixture.js';

let metrics: Metrics;
let telemetry: Telemetry;
beforeEach(() => {
  metrics = createMetrics('test');
  telemetry = telemetryOf(metrics);
});
afterEach(closeFixtures);

const sampleOf = async (name: string, ...labels: string[]): Promise<string | undefined> =>
  (await metrics.expose()).body
    .split('\n')
    .find((line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)))
    ?.split(' ')
    .at(-1);

it('counts and times calls by rpc and code, on both sides', async () => {
  const echo = async ({ text }: Note) => {
    if (text === 'no') throw new KnowledgeError('not_found', 'There is none.');
    return { text };
  };
  const client = await echoing({ echo }, { telemetry }, { telemetry });
  await client.echo({ text: 'yes' }, call);
  await client.echo({ text: 'no' }, call).catch(() => undefined);
  const rpc = [...(await metrics.expose()).body.matchAll(/rpc="([^"]*\/Echo)"/g)][0]?.[1];
  for (const name of ['server_duration_seconds_count', 'server_handled_total', 'client_duration_seconds_count']) {
    expect(await sampleOf(`knowledge_grpc_${name}`, `rpc="${rpc}"`, 'code="OK"'), name).toBe('1');
    expect(await sampleOf(`knowledge_grpc_${name}`, `rpc="${rpc}"`, 'code="NOT_FOUND"'), name).toBe('1');
  }
  expect(await sampleOf('knowledge_grpc_server_in_flight', `rpc="${rpc}"`)).toBe('0');
});

it('counts a stream while it runs and when it ends, without a duration', async () => {
  expect(await read((await echoing({}, { telemetry })).repeat({ text: 'a' }, call))).toHaveLength(3);
  const { body } = await metrics.expose();
  expect(body).toMatch(/knowledge_grpc_server_handled_total\{rpc="[^"]*\/Repeat",code="OK",process="test"\} 1/);
  expect(body).not.toMatch(/duration_seconds_count\{rpc="[^"]*\/Repeat"/);
});

it('passes the trace on to the handler, to its log, and to its own calls', async () => {
  const names: string[] = [];
  const scope = createSpanScope();
  const begin = (name: string, parent: string | undefined): Span | undefined => {
    if (!parent?.endsWith('-01')) return undefined;
    names.push(`${parent.slice(36, 52)} > ${name.split('/')[1]}`);
    let ended = false;
    return {
      traceparent: `00-${parent.slice(3, 35)}-${String(names.length).padStart(16, '0')}-01`,
      get ended() {
        return ended;
      },
      end: () => {
        ended = true;
      },
    };
  };
  telemetry = { ...telemetry, tracing: { ...noTracing, ...scope, begin, child: begin } };
  const { log, lines } = recordingLog();
  const seen: unknown[] = [];
  const echo = seeing((context) => {
    context.log.info('in the handler');
    seen.push(context.traceparent, scope.current()?.traceparent);
  });
  const client = await echoing({ echo }, { log, telemetry }, { telemetry });
  const trace = 'c'.repeat(32);
  await client.echo({ text: 'a' }, { ...call, traceparent: `00-${trace}-${'d'.repeat(16)}-01` });
  // The caller's span is the parent of the server's span. The handler passes on the server's span.
  expect(names).toEqual([`${'d'.repeat(16)} > Echo`, `${'1'.padStart(16, '0')} > Echo`]);
  const own = `00-${trace}-${'2'.padStart(16, '0')}-01`;
  expect(seen).toEqual([own, own]);
  expect(lines.find((line) => line.includes('in the handler'))).toContain(`"trace_id":"${trace}"`);

  const unrecorded = `00-${trace}-${'d'.repeat(16)}-00`;
  await client.echo({ text: 'a' }, { ...call, traceparent: unrecorded });
  expect(names).toHaveLength(2);
  expect(seen.slice(2)).toEqual([unrecorded, undefined]);
});

it('gives a batch its own trace, with links to the recorded traces of its requests', async () => {
  const begun: { name: string; parent: string | undefined; links: readonly string[] | undefined }[] = [];
  const own = `00-${'e'.repeat(32)}-${'f'.repeat(16)}-01`;
  const begin = (name: string, parent: string | undefined, { links }: SpanOptions): Span => {
    begun.push({ name: name.split('/')[1] ?? '', parent, links });
    return { traceparent: own, ended: false, end: () => undefined };
  };
  const client = { ...telemetry, tracing: { ...noTracing, begin, child: begin } };
  const of = (digit: string, flags: string) => `00-${digit.repeat(32)}-${digit.repeat(16)}-${flags}`;
  const batchedTraceparents = [of('1', '01'), of('2', '00'), of('3', '01')];
  const options = { requestId: 'batch-1', traceparent: of('4', '00'), batchedTraceparents };
  await (await echoing({}, {}, { telemetry: client })).echo({ text: 'a' }, options);
  expect(begun).toEqual([
    { name: 'Echo', parent: undefined, links: [of('1', '01'), of('3', '01')] },
    { name: 'Echo (in a batch)', parent: of('1', '01'), links: [own] },
    { name: 'Echo (in a batch)', parent: of('3', '01'), links: [own] },
  ]);
});
