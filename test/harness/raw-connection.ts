import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { until } from './until.js';

/** A TCP connection that can send any bytes and records the responses. */
export interface RawConnection {
  readonly socket: Socket;
  /** All received bytes as Latin-1 text. */
  text(): string;
  /** The status codes of all responses in order. */
  statuses(): number[];
  write(bytes: string | Buffer): void;
  /** Ends the connection with a TCP reset. */
  reset(): Promise<void>;
  /** Whether the server has ended the connection. */
  over(): boolean;
  /** Resolves when the server has ended the connection. Rejects after `ms` milliseconds. */
  ended(ms?: number): Promise<void>;
}

/** Opens a connection. The client side stays open after the server has ended its side. */
export async function openRaw(base: string, localAddress?: string): Promise<RawConnection> {
  const { hostname, port } = new URL(base);
  const socket = connect({ host: hostname, port: Number(port), localAddress, allowHalfOpen: true, noDelay: true });
  const chunks: Buffer[] = [];
  let over = false;
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => undefined);
  for (const event of ['end', 'close']) socket.on(event, () => (over = true));
  await once(socket, 'connect');
  const text = (): string => Buffer.concat(chunks).toString('latin1');
  return {
    socket,
    text,
    statuses: () => [...text().matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, status]) => Number(status)),
    write: (bytes) => void socket.write(bytes),
    async reset() {
      const closed = once(socket, 'close');
      socket.resetAndDestroy();
      await closed;
    },
    over: () => over,
    async ended(ms = 5_000) {
      await until('the connection to end', () => over, ms);
    },
  };
}
