import { IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import { createLogger, KnowledgeError } from '@knowledge/runtime';
import { type GrpcServer, type Handlers, implement, serveGrpc, serverStream } from '@knowledge/runtime/grpc';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectIdentity } from './identity.js';

let server: GrpcServer;
let identity: ReturnType<typeof connectIdentity>;

beforeAll(async () => {
  // The identity service refuses a cursor that its log lacks, as after a restore.
  const watchEndedAuthorizations = serverStream(() =>
    Promise.reject(new KnowledgeError('validation_error', 'after_cursor is unknown.')),
  );
  const handlers = { watchEndedAuthorizations } as unknown as Handlers<typeof IdentityServiceService>;
  server = await serveGrpc({
    address: '127.0.0.1:0',
    services: [implement(IdentityServiceService, handlers)],
    health: [],
    log: createLogger({ name: 'test', level: 'silent' }),
  });
  identity = connectIdentity({ address: server.address });
});
afterAll(async () => {
  identity.close();
  await server.close();
});

it('says which error ended the stream of ended authorizations, so that its reader can begin again', async () => {
  const read = async (): Promise<void> => {
    for await (const event of identity.endedAuthorizations('9-9', AbortSignal.timeout(5000))) expect(event).toBeNull();
  };
  await expect(read()).rejects.toMatchObject({ name: 'KnowledgeError', code: 'validation_error' });
});
