import { afterEach, expect, it } from 'vitest';
import { createMetrics } from './prometheus-metrics.js';
import { type MetricsServer, serveMetrics } from './telemetry.js';

let server: MetricsServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

it('adds the process name to every series, and makes one metric of two equal declarations', async () => {
  const metrics = createMetrics('here');
  const declaration = { name: 'knowledge_things_total', help: 'Things', labels: ['kind'] } as const;
  metrics.counter(declaration).inc({ kind: 'a' });
  metrics.counter(declaration).inc({ kind: 'a' });
  const { body, contentType } = await metrics.expose();
  expect(contentType).toMatch(/^text\/plain/);
  expect(body).toContain('knowledge_things_total{kind="a",process="here"} 2');
});

it('leaves out a gauge whose value cannot be read', async () => {
  const metrics = createMetrics('here');
  let depth: () => number | undefined | Promise<number> = () => 3;
  metrics.read({ name: 'knowledge_depth', help: 'Depth' }, () => depth());
  const shown = async () => /^knowledge_depth\{.*\} (.*)$/m.exec((await metrics.expose()).body)?.[1];
  expect(await shown()).toBe('3');
  depth = () => Promise.reject(new Error('away'));
  expect(await shown()).toBeUndefined();
  depth = () => Number.NaN;
  expect(await shown()).toBeUndefined();
  depth = () => 0;
  expect(await shown()).toBe('0');
});

it('shows the current total of a counter whose value is kept elsewhere', async () => {
  const metrics = createMetrics('here');
  let hits = 5;
  const declaration = { name: 'knowledge_hits_total', help: 'Hits', labels: ['result'] } as const;
  metrics.readTotal(declaration, () => [[{ result: 'hit' }, hits]]);
  await metrics.expose();
  hits = 7;
  expect((await metrics.expose()).body).toContain('knowledge_hits_total{result="hit",process="here"} 7');
});

it('serves the metrics at one path, for GET and HEAD, and probes once they have an answer', async () => {
  const metrics = createMetrics('here');
  metrics.addProcess();
  server = await serveMetrics(metrics, '127.0.0.1:0');
  const answer = await fetch(server.url);
  const type = 'text/plain; version=0.0.4; charset=utf-8';
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
  expect(await answer.text()).toContain('process_start_time_seconds{process="here"}');
  expect((await fetch(server.url, { method: 'HEAD' })).status).toBe(200);
  const posted = await fetch(server.url, { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  for (const path of ['/', '/readyz']) expect((await fetch(new URL(path, server.url))).status).toBe(404);
  server.answerProbes((request, response) => response.end(request.url));
  expect(await (await fetch(new URL('/readyz', server.url))).text()).toBe('/readyz');
  const { port } = new URL(server.url);
  await expect(serveMetrics(metrics, `127.0.0.1:${port}`)).rejects.toThrow('EADDRINUSE');
});
