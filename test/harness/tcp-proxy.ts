import { once } from 'node:events';
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net';

/** A TCP proxy on loopback. A test can break its connections. */
export interface TcpProxy {
  readonly address: string;
  /** Stops passing on bytes without closing connections, like a broken network. */
  stall(): void;
  /** Stops passing on responses. Requests still pass. */
  stallAnswers(): void;
  /** Passes on the waiting bytes and all later ones. */
  resume(): void;
  /** Resets every open connection. New connections are accepted. */
  reset(): void;
  /** Delays all bytes by this many milliseconds. */
  delay(ms: number): void;
  /** Sends new connections to another target. Open ones stay where they are. */
  redirect(target: string): void;
  close(): Promise<void>;
}

export async function startTcpProxy(target: string): Promise<TcpProxy> {
  let [host = '', port = ''] = target.split(':');
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
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = dial({ host, port: Number(port), noDelay: true });
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
    redirect(to) {
      [host = '', port = ''] = to.split(':');
    },
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
