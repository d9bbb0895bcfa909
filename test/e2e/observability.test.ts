import { randomBytes, randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { afterAll, describe, expect, test } from 'vitest';
import {
  askForAccess,
  confirmationCodeIn,
  confirmationMail,
  confirmUrl,
  contribute,
  exchangeToken,
  freshEmail,
  newStory,
  sendJson,
} from '../harness/agent.js';
import { putArticle } from '../harness/articles.js';
import { bearer, call } from '../harness/http.js';
import { metricsPorts, parseMetrics, type Sample, sumOf } from '../harness/metrics.js';
import { type ReceivedSpan, startOtlpSink } from '../harness/otlp-sink.js';
import { ownSystem } from '../harness/own.js';
import { until } from '../harness/until.js';

/** Texts that no metric, span or log line may contain. */
const secrets: string[] = [];
const traces = { read: newTrace(), authorize: newTrace(), tokenRead: newTrace(), contribute: newTrace() };

const collector = await startOtlpSink();
afterAll(() => collector.close());
const ports = await metricsPorts();
const system = await ownSystem({
  // The system records only the traces that a test requests.
  env: {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_TRACES_SAMPLER_ARG: '0',
    TRUSTED_PROXIES: '127.0.0.1',
  },
  envOf: ports.envOf,
});
await putArticle(system, { slug: 'note-1', site: Site.ORG });
await putArticle(system, { slug: 'note-2', site: Site.ORG });
await flow();

/** Makes a read, a request for access, a confirmation and a contribution. Each has its own trace. */
async function flow(): Promise<void> {
  const clientId = `client-${randomUUID()}`;
  const address = '203.0.113.77';
  const from = { 'x-agent-client-id': clientId, 'x-forwarded-for': address };
  const article = `${system.url}/api/v1/content/note-1?site=org`;
  const email = freshEmail();
  secrets.push(clientId, address, email, email.split('@')[0] ?? '');

  expect((await call(article, { headers: { ...from, traceparent: traces.read.header } })).status).toBe(200);
  const index = `${system.url}/api/v1/content?site=org`;
  for (let at = 0; at < 3; at += 1) expect((await call(index, { headers: from })).status).toBe(200);
  expect((await call(`${system.url}/nowhere-${clientId}`)).status).toBe(404);

  const body = { email, agent_name: 'Test Agent' };
  const asked = await sendJson('POST', `${system.url}/api/v1/agent/authorize`, body, {
    'x-forwarded-for': address,
    traceparent: traces.authorize.header,
  });
  const deviceCode: string = asked.json.token_exchange.device_code;
  const mail = await confirmationMail(system, email);
  const code = confirmationCodeIn(mail) ?? '';
  expect((await sendJson('POST', confirmUrl(system, mail), {})).status).toBe(200);
  const token: string = (await exchangeToken(system, deviceCode)).json.token;
  secrets.push(deviceCode, asked.json.user_code, code, token);

  const authorization = bearer(token);
  const other = `${system.url}/api/v1/content/note-2?site=org`;
  expect((await call(other, { headers: { ...authorization, traceparent: traces.tokenRead.header } })).status).toBe(200);
  expect((await contribute(system, token, newStory(), { traceparent: traces.contribute.header })).status).toBe(201);
  // This request is never confirmed, so that the metrics contain an unfinished request.
  secrets.push((await askForAccess(system, freshEmail('other'))).deviceCode);
}

function newTrace(): { id: string; parent: string; header: string } {
  const id = randomBytes(16).toString('hex');
  const parent = randomBytes(8).toString('hex');
  return { id, parent, header: `00-${id}-${parent}-01` };
}

describe('a trace', () => {
  const spansOf = ({ id }: { id: string }): ReceivedSpan[] => collector.spans.filter(({ traceId }) => traceId === id);

  /** Describes the path from the root to each span, as `service: name` joined by ` > `. */
  function waysOf(trace: { id: string; parent: string }): string[] {
    const spans = spansOf(trace);
    const way = ({ parentSpanId, service, name }: ReceivedSpan): string => {
      const own = `${service}: ${name}`;
      if (parentSpanId === trace.parent) return own;
      const parent = spans.find(({ spanId }) => spanId === parentSpanId);
      return `${parent === undefined ? '?' : way(parent)} > ${own}`;
    };
    return spans.map(way);
  }

  const rpc = (caller: string, service: string, method: string): string =>
    `${caller}: knowledge.${service}.v1.${method} > ${service}: knowledge.${service}.v1.${method}`;

  async function expectWays(trace: { id: string; parent: string }, ways: readonly string[]): Promise<void> {
    const found = await until('the spans of the trace', () => {
      const known = waysOf(trace);
      return (
        ways.every((way) => known.some((each) => each.startsWith(way))) &&
        !known.some((each) => each.includes('?')) &&
        known
      );
    }).catch(() => waysOf(trace));
    for (const way of ways) expect(found.map((each) => each.slice(0, way.length))).toContain(way);
    expect(found.filter((each) => each.includes('?'))).toEqual([]);
  }

  test('of a read goes through the gateway, content, quota and their databases', async () => {
    const root = 'gateway: GET /api/v1/content/:slug';
    await expectWays(traces.read, [
      root,
      `${root} > ${rpc('gateway', 'content', 'ContentService/GetArticles')} > content: `,
      `${root} > ${rpc('gateway', 'quota', 'QuotaService/Consume')} > quota: `,
    ]);
    const commands = spansOf(traces.read).filter(({ attributes }) => attributes['db.system.name'] === 'mongodb');
    expect(new Set(commands.map(({ service }) => service))).toEqual(new Set(['content', 'quota']));
    for (const { kind, attributes, service } of commands) {
      expect(kind).toBe(3);
      // A write that waits for another's transaction looks in `admin` for one whose process is gone.
      expect([system.databases[service as 'content'], 'admin']).toContain(attributes['db.namespace']);
    }
  });

  test('of a request for access includes the mail that it causes', async () => {
    const root = 'gateway: POST /api/v1/agent/authorize';
    const identity = `${root} > ${rpc('gateway', 'identity', 'IdentityService/CreateAuthorization')}`;
    await expectWays(traces.authorize, [
      `${identity} > ${rpc('identity', 'quota', 'QuotaService/Consume')} > quota: `,
      `${identity} > identity: insert authorizations`,
      `${identity} > identity: SMTP send`,
    ]);
    const smtp = spansOf(traces.authorize).find(({ name }) => name === 'SMTP send');
    const attributes = { 'knowledge.mail.purpose': 'confirmation', 'knowledge.mail.result': 'sent' };
    expect(smtp).toMatchObject({ attributes, failed: false });
  });

  test('of a read with a token includes identity, and that of a contribution includes contributions', async () => {
    await expectWays(traces.tokenRead, [
      `gateway: GET /api/v1/content/:slug > ${rpc('gateway', 'identity', 'IdentityService/ResolveTokens')} > identity: `,
    ]);
    const root = 'gateway: POST /api/v1/contributions';
    const submit = `${root} > ${rpc('gateway', 'contributions', 'ContributionsService/SubmitContribution')}`;
    await expectWays(traces.contribute, [
      `${submit} > ${rpc('contributions', 'quota', 'QuotaService/Consume')} > quota: `,
      `${submit} > contributions: `,
    ]);
  });

  test('is not recorded if the caller does not record it, but its id is in the log', async () => {
    const { id, header } = newTrace();
    const answer = await call(`${system.url}/api/v1/content?site=org`, {
      headers: { traceparent: header.replace(/01$/, '00'), 'x-request-id': 'unrecorded-1' },
    });
    expect(answer.status).toBe(200);
    const line = await until('the line of the request', () =>
      system.processes['gateway']
        ?.output()
        .split('\n')
        .find((each) => each.includes('"unrecorded-1"')),
    );
    expect(JSON.parse(line)).toMatchObject({ trace_id: id, request_id: 'unrecorded-1' });
    const known = new Set(Object.values(traces).map((trace) => trace.id));
    expect(collector.spans.filter(({ traceId }) => !known.has(traceId))).toEqual([]);
  });

  test('shows the shared call if the request was batched with others', async () => {
    // Simultaneous requests share one call to a service. Only one trace contains the call; the other traces link to it.
    const alike = Array.from({ length: 24 }, newTrace);
    await Promise.all(
      alike.map(async ({ header }) => {
        const headers = { 'x-agent-client-id': randomUUID(), traceparent: header };
        expect((await call(`${system.url}/api/v1/content/note-1?site=org`, { headers })).status).toBe(200);
      }),
    );
    const consumes = (trace: { id: string }) =>
      spansOf(trace).filter(({ name, kind }) => kind === 3 && name.includes('QuotaService/Consume'));
    await until('a Consume in every trace', () => alike.every((trace) => consumes(trace).length > 0));
    const passengers = alike.flatMap(consumes).filter(({ name }) => name.endsWith('(in a batch)'));
    expect(passengers.length).toBeGreaterThan(0);
    for (const { links, traceId, spanId, parentSpanId } of passengers) {
      const carrier = collector.spans.find((span) => links.includes(`${span.traceId} ${span.spanId}`));
      expect(carrier?.links).toContain(`${traceId} ${parentSpanId}`);
      expect(spanId).not.toBe(carrier?.spanId);
      expect(carrier?.parentSpanId ?? '').toBe('');
      expect(alike.map(({ id }) => id)).not.toContain(carrier?.traceId);
    }
  });
});

describe('the metrics', () => {
  const scrape = async (process: string): Promise<Sample[]> => {
    const answer = await call(`http://${ports.addresses[process]}/metrics`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    return parseMetrics(answer.text);
  };

  test.each(['gateway', 'content', 'quota', 'identity', 'contributions'])(
    'of %s describe the process and its work',
    async (process) => {
      const samples = await scrape(process);
      expect(sumOf(samples, 'knowledge_info', { process })).toBe(1);
      expect(samples.filter(({ labels }) => labels['process'] !== process)).toEqual([]);
      const own = ['process_start_time_seconds', 'process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds'];
      const ofMongo = ['command_duration_seconds_count', 'pool_open', 'pool_wait_seconds_count'];
      const ofService = ['knowledge_grpc_server_handled_total', ...ofMongo.map((each) => `knowledge_mongodb_${each}`)];
      for (const name of process === 'gateway' ? own : [...own, ...ofService])
        expect(sumOf(samples, name), name).toBeGreaterThan(0);
      if (process !== 'gateway') expect(sumOf(samples, 'knowledge_mongodb_pool_in_use')).toBeGreaterThanOrEqual(0);
    },
  );

  test('of the gateway count by route, cached responses too, and never by path', async () => {
    const samples = await scrape('gateway');
    const requests = (labels: Record<string, string>) =>
      sumOf(samples, 'knowledge_http_request_duration_seconds_count', labels);
    expect(requests({ route: '/api/v1/content/:slug', method: 'GET', status: '200' })).toBeGreaterThanOrEqual(2);
    expect(requests({ route: '/api/v1/content', method: 'GET', status: '200' })).toBeGreaterThanOrEqual(3);
    expect(requests({ route: '/api/v1/agent/authorize', method: 'POST', status: '202' })).toBe(2);
    expect(requests({ route: 'unmatched', status: '404' })).toBe(1);
    expect(sumOf(samples, 'knowledge_hold_answers_total', { result: 'hit' })).toBeGreaterThan(0);
    expect(sumOf(samples, 'knowledge_hold_answers_total', { result: 'miss' })).toBeGreaterThan(0);
    expect(sumOf(samples, 'knowledge_change_feed_connected')).toBe(1);
    expect(sumOf(samples, 'knowledge_change_feed_lag_seconds')).toBeLessThan(5);
    expect(sumOf(samples, 'knowledge_http_shed_total')).toBeGreaterThanOrEqual(0);
    const rpc = 'knowledge.quota.v1.QuotaService/Consume';
    expect(sumOf(samples, 'knowledge_grpc_client_duration_seconds_count', { rpc, code: 'OK' })).toBeGreaterThan(0);
  });

  test('of the services count decisions, mails, contributions and changes of state', async () => {
    const [quota, identity, contributions, content] = await Promise.all(
      ['quota', 'identity', 'contributions', 'content'].map(scrape),
    );
    const granted = (policy: string) =>
      sumOf(quota ?? [], 'knowledge_quota_decisions_total', { policy, outcome: 'granted' });
    expect(granted('read_client_id')).toBeGreaterThanOrEqual(1);
    expect(granted('read_verified_email')).toBe(1);
    expect(granted('authorize_mailbox')).toBe(2);
    expect(
      sumOf(identity ?? [], 'knowledge_mail_attempts_total', { purpose: 'confirmation', result: 'sent' }),
    ).toBeGreaterThanOrEqual(1);
    for (const samples of [identity ?? [], contributions ?? []])
      for (const name of ['depth', 'oldest_seconds', 'overdue_seconds'])
        expect(sumOf(samples, `knowledge_outbox_${name}`), name).toBeGreaterThanOrEqual(0);
    expect(sumOf(contributions ?? [], 'knowledge_contributions_total', { type: 'story' })).toBe(1);
    expect(sumOf(content ?? [], 'knowledge_change_feed_lag_seconds')).toBeLessThan(5);
    await until('the transitions to be counted', async () => {
      const made = { subject: 'authorization', from: 'none', to: 'pending' };
      return sumOf(await scrape('identity'), 'knowledge_transitions_total', made) === 2;
    });
  });
});

test('no metric, span or log line identifies a person or contains a secret', async () => {
  const shown = await Promise.all(
    Object.values(ports.addresses).map(async (address) => (await call(`http://${address}/metrics`)).text),
  );
  const places = { metrics: shown.join('\n'), spans: collector.raw(), logs: system.logs() };
  expect(secrets.every((secret) => typeof secret === 'string' && secret.length > 5)).toBe(true);
  for (const [place, text] of Object.entries(places)) {
    expect(text.length).toBeGreaterThan(1000);
    const told = secrets.filter((secret) => text.includes(secret) || text.includes(encodeURIComponent(secret)));
    expect(told, place).toEqual([]);
    expect(text, place).not.toMatch(/[\w.+-]+@example\.org/);
  }
});
