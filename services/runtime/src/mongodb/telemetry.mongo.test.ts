import { afterAll, expect, it } from 'vitest';
import { createSpanScope, noTracing, type Span, type SpanOptions } from '../telemetry/tracing.js';
import { connectAgain, createMetrics, openTestDatabase, telemetryOf } from '../testing/index.js';

const own = openTestDatabase('telemetry');
const metrics = createMetrics('test');
const spans: { name: string; attributes: SpanOptions['attributes']; failure?: string | undefined }[] = [];
const scope = createSpanScope();
const tracing = {
  ...noTracing,
  ...scope,
  child: (name: string, _parent: unknown, { attributes }: SpanOptions): Span => {
    const span: (typeof spans)[number] = { name, attributes };
    return { traceparent: '', ended: false, end: (facts) => void spans.push({ ...span, failure: facts?.failure }) };
  },
};
const watched = connectAgain(own.db, { telemetry: telemetryOf(metrics, tracing) });
afterAll(async () => {
  await watched.close();
  await own.close();
});

it('times commands by name and outcome, counts connections, and reports 0 for an idle pool', async () => {
  const things = watched.db.collection<{ _id: string; email: string }>('things');
  await things.insertOne({ _id: 'a', email: 'jane@example.org' });
  await Promise.all(Array.from({ length: 5 }, () => things.findOne({ email: 'jane@example.org' })));
  await expect(watched.db.command({ noSuchCommand: 1 })).rejects.toMatchObject({ codeName: 'CommandNotFound' });
  const { body } = await metrics.expose();
  const count = (labels: string) =>
    new RegExp(`command_duration_seconds_count\\{[^}]*${labels}[^}]*\\} (\\d+)`).exec(body)?.[1];
  expect(count('command="find",outcome="ok"')).toBe('5');
  expect(count('command="insert",outcome="ok"')).toBe('1');
  expect(count('command="other",outcome="failed"')).toBe('1');
  expect(body).toContain('knowledge_mongodb_pool_in_use{process="test"} 0');
  expect(body).toContain('knowledge_mongodb_pool_waiting{process="test"} 0');
  expect(body).toMatch(/knowledge_mongodb_pool_open\{process="test"\} [1-5]\n/);
  expect(body).not.toContain('noSuchCommand');
  expect(body).not.toContain('jane');
});

it('makes a span for each command of a recorded call, with its name and collection and no data', async () => {
  const things = watched.db.collection('things');
  await things.findOne({ email: 'jane@example.org' });
  expect(spans).toEqual([]);
  const span: Span = { traceparent: '', ended: false, end: () => undefined };
  const commands = () => [things.findOne({ email: 'jane@example.org' }), things.countDocuments({})];
  await scope.within(span, () => Promise.all(commands()));
  await scope.within(span, () => watched.db.command({ noSuchCommand: 'secret' }).catch(() => undefined));
  expect(spans.map(({ name }) => name).sort()).toEqual(['aggregate things', 'find things', 'noSuchCommand']);
  expect(spans.find(({ name }) => name === 'find things')?.attributes).toEqual({
    'db.system.name': 'mongodb',
    'db.namespace': own.db.databaseName,
    'db.operation.name': 'find',
    'db.collection.name': 'things',
  });
  expect(spans.find(({ failure }) => failure !== undefined)?.failure).toBe('MongoServerError');
});
