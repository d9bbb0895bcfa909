import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import {
  IdentityServiceService,
  WatchEndedAuthorizationsResponse,
} from '@knowledge/proto/knowledge/identity/v1/identity';
import { createLogger, KnowledgeError } from '@knowledge/runtime';
import { type Handlers, implement, serveGrpc } from '@knowledge/runtime/grpc';
import { afterAll, expect, it } from 'vitest';
import { connectIdentity } from './identity.js';

const sockets = new Set<Socket>();

type Identity = Handlers<typeof IdentityServiceService>;

// The identity service refuses a cursor that its log lacks, as after a restore.
const watchEndedAuthorizations: Identity['watchEndedAuthorizations'] = async ({ afterCursor }, context, emit) => {
  if (afterCursor !== '0') throw new KnowledgeError('validation_error', 'after_cursor is unknown.');
  await emit(WatchEndedAuthorizationsResponse.fromPartial({ cursor: '1' }));
  await once(context.signal, 'abort');
};
const handlers = { watchEndedAuthorizations } as unknown as Identity;
const server = await serveGrpc({
  address: '127.0.0.1:0',
  services: [implement(IdentityServiceService, handlers)],
  health: [],
  log: createLogger({ name: 'test', level: 'silent' }),
});
const [host = '', port = ''] = server.address.split(':');
const proxy = createServer((socket) => {
  const onward = connect(Number(port), host);
  for (const each of [socket, onward]) sockets.add(each.on('error', () => undefined));
  socket.pipe(onward).pipe(socket);
}).listen(0, '127.0.0.1');
await once(proxy, 'listening');
const identity = connectIdentity({ address: `127.0.0.1:${(proxy.address() as AddressInfo).port}` });
afterAll(async () => {
  identity.close();
  proxy.close();
  await server.close();
});

it('says which error ended the stream of ended authorizations, so that its reader can begin again', async () => {
  const read = async (): Promise<void> => {
    for await (const event of identity.endedAuthorizations('9-9', AbortSignal.timeout(5000))) expect(event).toBeNull();
  };
  await expect(read()).rejects.toMatchObject({ name: 'KnowledgeError', code: 'validation_error' });
});

it('ends a stream whose connection is dropped by its age without an error, and reports an outage by the next one', async () => {
  const read = () => identity.endedAuthorizations('0', AbortSignal.timeout(10_000))[Symbol.asyncIterator]();
  const events = read();
  expect(await events.next()).toMatchObject({ value: { cursor: '1' } });
  proxy.close();
  for (const socket of sockets) socket.destroy();
  expect(await events.next()).toMatchObject({ done: true });
  await expect(read().next()).rejects.toMatchObject({ code: 'unavailable' });
});
