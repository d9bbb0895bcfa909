import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { consent, contribute, newStory } from '../harness/agent.js';
import { articleToPut } from '../harness/articles.js';
import { freePort } from '../harness/free-port.js';
import { call } from '../harness/http.js';
import { metricsPorts } from '../harness/metrics.js';
import { type OtlpSink, startOtlpSink } from '../harness/otlp-sink.js';
import { asTester, type System, startSystem } from '../harness/system.js';
import { until } from '../harness/until.js';
import { startWebDesk, type WebDesk } from '../harness/web-desk.js';
import { folder, metricsIn, type RuleGroups, readQueries, readRules, readYaml } from './files.js';
import { type Prometheus, promtool, startPrometheus } from './prometheus.js';

describe('the rules', () => {
  test('pass promtool, and their unit tests show when they fire', async () => {
    expect(await promtool('check', 'rules', `${folder}rules.yaml`)).toContain('SUCCESS');
    await promtool('test', 'rules', `${folder}rules.test.yaml`);
  });

  test('are the same in the file for the Prometheus operator', () => {
    const { spec } = readYaml('prometheus-rule.yaml') as { spec: RuleGroups };
    expect(spec).toEqual(readYaml('rules.yaml'));
  });

  const alerts = readRules().filter(({ alert }) => alert !== undefined);
  const headings = [...readFileSync(`${folder}RUNBOOKS.md`, 'utf8').matchAll(/^## (.+)$/gm)].map(([, heading = '']) =>
    heading.toLowerCase().replaceAll(' ', '-'),
  );

  test.each(alerts)('$alert has an explanation and a link to its runbook', ({ labels, annotations }) => {
    expect(labels?.['severity']).toMatch(/^(page|ticket)$/);
    expect(annotations?.['summary']).toMatch(/\w/);
    const [file, heading] = annotations?.['runbook_url']?.split('#') ?? [];
    expect(file).toBe('deploy/components/monitoring/RUNBOOKS.md');
    expect(headings).toContain(heading);
  });

  test('each have a unit test, and each runbook has an alert', () => {
    const tests = readFileSync(`${folder}rules.test.yaml`, 'utf8');
    expect(alerts.filter(({ alert }) => !tests.includes(`alertname: ${alert}`))).toEqual([]);
    const led = new Set(alerts.map(({ annotations }) => annotations?.['runbook_url']?.split('#')[1]));
    expect(headings.filter((heading) => !led.has(heading))).toEqual([]);
  });
});

describe('with a system under load', () => {
  let collector: OtlpSink;
  let system: System;
  let desk: WebDesk;
  let prometheus: Prometheus;
  const stop = new AbortController();
  let traffic: Promise<void> = Promise.resolve();

  beforeAll(async () => {
    collector = await startOtlpSink();
    const { addresses, envOf } = await metricsPorts();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '200' };
    system = await startSystem({ env, envOf });
    await system.clients.editorial.putArticle(articleToPut({ slug: 'note-1', site: Site.ORG }), asTester());
    const deskMetrics = `127.0.0.1:${await freePort()}`;
    desk = await startWebDesk(system, { METRICS_ADDRESS: deskMetrics });
    prometheus = await startPrometheus([...Object.values(addresses), deskMetrics], `${folder}rules.yaml`);
    traffic = keepBusy(system, desk, stop.signal);
    await until(
      'two scrapes of everything under load',
      async () => {
        const seen = await prometheus.query(
          'min(count_over_time(knowledge_info[1m])) > 4 and count(knowledge_info) == 6',
        );
        return (
          seen.length > 0 &&
          (await prometheus.query('sum(increase(knowledge_contributions_total[30s])) > 0')).length > 0
        );
      },
      90_000,
    );
  });
  afterAll(async () => {
    stop.abort();
    await traffic;
    await prometheus?.close();
    await desk?.close();
    await system?.close();
    await collector?.close();
  });

  test.each(readQueries())('the panel "$panel" shows data: $expr', async ({ expr }) => {
    const found = await until(
      `data for ${expr}`,
      async () => {
        const result = await prometheus.query(expr);
        return result.length > 0 && result;
      },
      40_000,
      500,
    );
    expect(found.some(({ value: [, value] }) => Number.isFinite(Number(value)))).toBe(true);
  });

  test('every metric in a rule or panel is scraped, and every one of our metrics is used', async () => {
    const scraped = new Set((await prometheus.get('label/__name__/values')) as string[]);
    const exprs = [...readRules(), ...readQueries()].map(({ expr }) => expr);
    const named = new Set(exprs.flatMap(metricsIn));
    expect(named.size).toBeGreaterThan(20);
    expect([...named].filter((name) => !scraped.has(name))).toEqual([]);
    const own = [...scraped].filter((name) => name.startsWith('knowledge_') && !/_(bucket|sum)$/.test(name));
    const bare = new Set([...named].map((name) => name.replace(/_(bucket|count)$/, '')));
    expect(own.filter((name) => !bare.has(name.replace(/_count$/, '')))).toEqual([]);
  });

  test('no alert fires and every rule is evaluated', async () => {
    const { groups } = (await prometheus.get('rules')) as {
      groups: { rules: { name: string; health: string; state?: string; lastError?: string }[] }[];
    };
    const rules = groups.flatMap((group) => group.rules);
    expect(rules.length).toBe(readRules().length);
    expect(rules.filter(({ health }) => health !== 'ok')).toEqual([]);
    const firing = rules.filter(({ state }) => state === 'firing').map(({ name }) => name);
    // These alerts may fire because other tests keep the machine busy.
    const ofTheMachine = [
      'KnowledgeReadsSlow',
      'KnowledgeEventLoopLate',
      'KnowledgeRequestsShed',
      'KnowledgePoolExhausted',
    ];
    expect(firing.filter((name) => !ofTheMachine.includes(name))).toEqual([]);
  });
});

/** Sends reads, refused reads, wrong paths, consent, contributions and sign-ins until the signal aborts. */
async function keepBusy(system: System, desk: WebDesk, signal: AbortSignal): Promise<void> {
  const reader = `reader-${randomUUID()}`;
  while (!signal.aborted) {
    const paths = ['/api/v1/content?site=org', '/api/v1/content/note-1?site=org', '/api/v1/capabilities', '/nowhere'];
    for (const path of paths) await call(`${system.url}${path}`, { headers: { 'x-agent-client-id': reader } });
    await call(`${system.url}/api/v1/search?site=org&q=${randomUUID()}`);
    await call(`${system.url}/api/v1/content/note-1?site=org`, { headers: { 'x-agent-client-id': randomUUID() } });
    await call(`${system.url}/api/v1/objects/${randomUUID()}`);
    const { token } = await consent(system);
    await contribute(system, token, newStory());
    await (await desk.signIn('mona', 'moderator')).get('/');
  }
}
