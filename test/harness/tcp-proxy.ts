import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

/** A TCP proxy on loopback whose connections a test can break. */
export interface TcpProxy {
  readonly address: string;
  /** Holds back all bytes without closing, like a stalled connection. */
  stall(): void;
  /** Holds back responses, while requests still pass. */
  stallAnswers(): void;
  /** Sends the bytes held back, and passes everything after them. */
  resume(): void;
  /** Resets every connection, but accepts new ones. */
  reset(): void;
  /** Delays all bytes by this many milliseconds. */
  delay(ms: number): void;
  close(): Promise<void>;
}

export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const [host = '', port = ''] = target.split(':');
  const sockets = new Set<Socket>();
  const answering = new Set<Socket>();
  let stalled = false;
  let latency = 0;

  const pass = (from: Socket, to: Socket): void => {
    from.on('data', (chunk) => {
      if (latency === 0) to.write(chunk);
      else setTimeout(() => to.writable && to.write(chunk), latency);
    });
    from.on('close', () => {
      sockets.delete(from);
      answering.delete(from);
      if (!stalled) to.destroy();
    });
    from.on('error', () => undefined);
  };
  const server = createServer((client) => {
    const upstream = dial({ host, port: Number(port) });
    answering.add(upstream);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      if (stalled) socket.pause();
    }
    pass(client, upstream);
    pass(upstream, client);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    stall() {
      stalled = true;
      for (const socket of sockets) socket.pause();
    },
    stallAnswers() {
      for (const socket of answering) socket.pause();
    },
    resume() {
      stalled = false;
      for (const socket of sockets) socket.resume();
    },
    reset() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    delay(ms) {
      latency = ms;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
