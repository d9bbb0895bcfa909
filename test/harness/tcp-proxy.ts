import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

/** A TCP proxy on loopback whose connections a test can spoil. */
export interface TcpProxy {
  readonly address: string;
  /** Stops passing bytes on, both ways, without closing anything: a stalled or half-open connection. */
  stall(): void;
  /** Stops passing answers on, while calls still go through. */
  stallAnswers(): void;
  /** Passes on what was held back, and everything after it. */
  resume(): void;
  /** Resets every connection; new ones are taken. */
  reset(): void;
  /** Passes bytes on only after this many milliseconds. */
  delay(ms: number): void;
  close(): Promise<void>;
}

/** Starts a proxy to `host:port`. */
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
