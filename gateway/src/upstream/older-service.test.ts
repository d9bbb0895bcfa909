import { ContributionsServiceService } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { createLogger, KnowledgeError } from '@knowledge/runtime';
import { connectGrpc, serveGrpc } from '@knowledge/runtime/grpc';
import { expect, it, onTestFinished } from 'vitest';
import { refuseWithoutMethod } from './older-service.js';

it('tells to try again if a service lacks the method', async () => {
  const log = createLogger({ name: 'test', level: 'silent' });
  const server = await serveGrpc({ address: '127.0.0.1:0', services: [], health: [], log });
  onTestFinished(() => server.close());
  const client = connectGrpc(ContributionsServiceService, { address: server.address, deadlineMs: 5000 });
  onTestFinished(() => client.close());
  const request = { contributor: undefined, id: '', body: '', payloadHash: Buffer.alloc(0), ifRevisions: [] };
  const refused = client.reviseContribution(request, { requestId: 'r' }).catch(refuseWithoutMethod);
  await expect(refused).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 30 });
});

it('changes no other error', async () => {
  const error = new KnowledgeError('invalid_state', 'No.');
  await expect(refuseWithoutMethod(error)).rejects.toBe(error);
});
