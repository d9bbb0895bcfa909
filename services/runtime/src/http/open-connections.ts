import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Logger } from '../log/logger.js';
import type { Bucket } from '../text/networks.js';
import { bucketsOfClient } from './request.js';

export interface OpenConnectionBounds {
  readonly max: number;
  /** The largest number for an IPv4 address or an IPv6 /64. Wider networks of IPv6 have some times as many. */
  readonly perNetwork: number;
  /** Whether an address is a trusted proxy. A proxy carries many clients, so `perNetwork` does not limit it. */
  readonly isProxy: ((address: string) => boolean) | false;
}

/** A new connection counts as idle if it sends no request within this time, in milliseconds. */
const silentMs = 1_000;

export function createOpenConnections({ max, perNetwork, isProxy }: OpenConnectionBounds) {
  const sockets = new Set<Socket>();
  const networks = new Map<string, Set<Socket>>();
  const states = new WeakMap<Socket, ConnectionState>();

  const isIdle = (socket: Socket, now: number) => {
    const { silentSince, readWhenAnswered } = states.get(socket) ?? {};
    return silentSince === undefined ? readWhenAnswered === socket.bytesRead : now - silentSince >= silentMs;
  };

  const bucketsOf = ({ remoteAddress }: Socket) =>
    remoteAddress === undefined || (isProxy !== false && isProxy(remoteAddress)) ? [] : bucketsOfClient(remoteAddress);

  const isFull = ({ network, factor }: Bucket) => (networks.get(network)?.size ?? 0) >= perNetwork * factor;

  const add = (socket: Socket, buckets: readonly Bucket[]) => {
    sockets.add(socket);
    for (const { network } of buckets) networks.set(network, (networks.get(network) ?? new Set()).add(socket));
    socket.once('close', () => {
      sockets.delete(socket);
      for (const { network } of buckets) {
        const siblings = networks.get(network);
        siblings?.delete(socket);
        if (siblings?.size === 0) networks.delete(network);
      }
    });
  };

  return {
    sockets: sockets as ReadonlySet<Socket>,
    /** Adds a connection. If a bound is reached, returns the name of that bound: all connections, or one network's. */
    admit(socket: Socket): 'admitted' | 'all' | 'network' {
      if (sockets.size >= max) return 'all';
      const buckets = bucketsOf(socket);
      if (buckets.some(isFull)) return 'network';
      add(socket, buckets);
      states.set(socket, { silentSince: performance.now(), readWhenAnswered: undefined });
      return 'admitted';
    },
    /** Call this when a request of the connection arrives. */
    requestArrived(socket: Socket) {
      const state = states.get(socket);
      if (state !== undefined) state.silentSince = undefined;
    },
    /** Call this after the last response. The connection is idle until more bytes arrive. */
    responseSent(socket: Socket) {
      const state = states.get(socket);
      if (state !== undefined) state.readWhenAnswered = socket.bytesRead;
    },
    /**
     * Closes connections that wait for their next request, or have never sent one. `like` limits this to connections from
     * the network of that connection.
     */
    closeIdle(like?: Socket) {
      const now = performance.now();
      const full = like && bucketsOf(like).find(isFull);
      const among = like === undefined ? sockets : (networks.get(full?.network ?? '') ?? []);
      for (const socket of among) if (isIdle(socket, now)) socket.destroy();
    },
  };
}

interface ConnectionState {
  /** The opening time of a connection that has sent no request yet. */
  silentSince: number | undefined;
  /** The bytes that the client had sent when the last response was sent. */
  readWhenAnswered: number | undefined;
}

/** Closes idle connections after a connection was refused, so that the next one can be admitted. */
type RoomMaker = (full: 'all' | 'network', refused: Socket) => void;

interface Room {
  readonly connections: ReturnType<typeof createOpenConnections>;
  readonly log: Logger;
  readonly onRefused: () => void;
}

/** The shortest times between two searches for idle connections, and between two log lines, in milliseconds. */
const intervalMs = { room: 100, line: 60_000 };

/** Makes a room maker. It searches and logs at most every `intervalMs`, so that refused connections cost little. */
export function createRoomMaker({ connections, log, onRefused }: Room): RoomMaker {
  const last = { all: never(), network: never() };
  return (full, refused) => {
    if (full === 'all') onRefused();
    const now = performance.now();
    const { room, line } = last[full];
    if (now - line >= intervalMs.line) {
      last[full].line = now;
      log.warn({ connections: connections.sockets.size }, lines[full]);
    }
    if (now - room < intervalMs.room) return;
    last[full].room = now;
    connections.closeIdle(full === 'all' ? undefined : refused);
  };
}

const lines = {
  all: 'no more connections are accepted',
  network: 'no more connections are accepted from one network',
};

function never(): Record<'room' | 'line', number> {
  return { room: Number.NEGATIVE_INFINITY, line: Number.NEGATIVE_INFINITY };
}
