import { HealthCheckResponse_ServingStatus, HealthService } from '@knowledge/proto/grpc/health/v1/health';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { connectGrpc } from '@knowledge/runtime/grpc';
import { openTestDatabase, quietEnvironment } from '@knowledge/runtime/testing';
import { expect, it } from 'vitest';
import { migrate, start } from './service.js';
import { openWatcher, serveContent } from './testing/serve-content.js';

const call = { requestId: 'test' };
const { SERVING, NOT_SERVING } = HealthCheckResponse_ServingStatus;

it('becomes ready, and ends its watches when it stops', async () => {
  const served = await serveContent();
  const health = connectGrpc(HealthService, { address: served.address });
  await expect.poll(async () => (await health.check({ service: 'readiness' }, call)).status).toBe(SERVING);
  const watcher = openWatcher(served);
  await watcher.started;
  health.close();
  await served.close();
  expect((await watcher.over)?.message).toContain('shutting down');
});

it('without a database it listens, is not ready, responds with unavailable and stops at once', async () => {
  const address = { GRPC_ADDRESS: '127.0.0.1:0', LOG_LEVEL: 'silent' };
  const service = await start({ ...address, MONGODB_URI: 'mongodb://127.0.0.1:9/?directConnection=true' });
  const health = connectGrpc(HealthService, { address: service.address });
  const content = connectGrpc(ContentServiceService, { address: service.address });
  expect((await health.check({ service: 'readiness' }, call)).status).toBe(NOT_SERVING);
  expect((await health.check({ service: 'liveness' }, call)).status).toBe(SERVING);
  await expect(content.getObject({ id: 'x' }, call)).rejects.toMatchObject({ code: 'unavailable' });
  health.close();
  content.close();
  const begin = performance.now();
  await service.close();
  expect(performance.now() - begin).toBeLessThan(5000);
});

it('can apply only its schema, repeatedly and while the database is in use', async () => {
  const { db, close } = openTestDatabase('migrate');
  const env = quietEnvironment(db);
  await Promise.all([migrate(env), migrate(env), migrate(env)]);
  const names = (await db.collection('articles').indexes()).map(({ name }) => name).sort();
  expect(names).toEqual(['_id_', 'listing', 'records', 'tagged', 'updated']);
  await migrate(env);
  expect((await db.collection('articles').indexes()).map(({ name }) => name).sort()).toEqual(names);
  await expect(db.collection('articles').insertOne({ title: 'no article' })).rejects.toMatchObject({ code: 121 });
  await close();
});

it('responds with unavailable, not with a defect, until its schema is applied', async () => {
  const { db, close } = openTestDatabase('early');
  const service = await start(quietEnvironment(db));
  const content = connectGrpc(ContentServiceService, { address: service.address });
  const request = { site: Site.ORG, pageSize: 0, pageToken: '', query: '', tag: '', updatedSince: undefined };
  const codes = new Set<string>();
  let ready = false;
  void service.ready.then(() => {
    ready = true;
  });
  while (!ready) {
    const answer = content.listArticles(request, call).then(() => 'answered');
    codes.add(await answer.catch((error: { code: string }) => error.code));
  }
  expect([...codes].filter((code) => code !== 'answered' && code !== 'unavailable')).toEqual([]);
  expect((await content.listArticles(request, call)).entries).toEqual([]);
  content.close();
  await service.close();
  await close();
});

it('makes its watchers start again when the log is replaced', async () => {
  const served = await serveContent();
  await served.put('a');
  const watcher = openWatcher(served);
  await watcher.started;
  await served.db.collection('counts').deleteMany({});
  await served.db.collection('changes').deleteMany({});
  void watcher.ping();
  expect((await watcher.over)?.message).toContain('begin again');
  const next = openWatcher(served, 1);
  expect(await next.started).toBe(0);
  next.call.cancel();
  await served.close();
});
