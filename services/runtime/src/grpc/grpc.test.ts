import { HealthService, HealthCheckResponse_ServingStatus as S } from '@knowledge/proto/grpc/health/v1/health';
import { afterEach, expect, it } from 'vitest';
import { KnowledgeError } from '../errors/knowledge-error.js';
import { createLogger } from '../log/logger.js';
import { connectGrpc, serveGrpc } from './index.js';

const log = createLogger({ name: 'test', level: 'silent' });
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

it('serves health', async () => {
  const server = await serveGrpc({ address: '127.0.0.1:0', services: [], health: [], log });
  closers.push(() => server.close());
  const client = connectGrpc(HealthService, { address: server.address });
  closers.push(() => client.close());
  expect(await client.check({ service: '' }, { requestId: 'a' })).toEqual({ status: S.SERVING });
  await expect(client.check({ service: 'x' }, { requestId: 'a' })).rejects.toBeInstanceOf(KnowledgeError);
});
