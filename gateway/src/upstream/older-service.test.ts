import { Server, ServerCredentials } from '@grpc/grpc-js';
import { ContributionsServiceService } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { KnowledgeError } from '@knowledge/runtime';
import { connectGrpc } from '@knowledge/runtime/grpc';
import { expect, it, onTestFinished } from 'vitest';
import { refuseWithoutMethod } from './older-service.js';

it('tells to try again if a service lacks the method', async () => {
  const server = new Server();
  onTestFinished(() => server.forceShutdown());
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  const client = connectGrpc(ContributionsServiceService, { address: `127.0.0.1:${port}`, deadlineMs: 5000 });
  onTestFinished(() => client.close());
  const request = { contributor: undefined, id: '', body: '', payloadHash: Buffer.alloc(0) };
  const refused = client.reviseContribution(request, { requestId: 'r' }).catch(refuseWithoutMethod);
  await expect(refused).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 30 });
});

it('changes no other error', async () => {
  const error = new KnowledgeError('invalid_state', 'No.');
  await expect(refuseWithoutMethod(error)).rejects.toBe(error);
});
