import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { networkOfClient } from '../client-address.js';

/** Counts the open connections, in all and by the network that each comes from. */
export interface OpenConnections {
  readonly sockets: ReadonlySet<Socket>;
  /** Adds a connection, or names the bound that it would exceed: that of all, or that of its network. */
  admit(socket: Socket): 'admitted' | 'all' | 'network';
  /** Call it when a request of the connection arrives. */
  requestArrived(socket: Socket): void;
  /** Call it when no request of the connection waits any more; the connection is idle until more bytes arrive. */
  responseSent(socket: Socket): void;
  /**
   * Closes connections that wait for a next request, or never sent one. With `like`, closes only those of the same network
   * as that connection.
   */
  closeIdle(like?: Socket): void;
}

export interface OpenConnectionBounds {
  readonly max: number;
  /** For one network: an IPv4 address or an IPv6 /64. */
  readonly perNetwork: number;
  /** Whether an address is a trusted proxy, which carries many clients and so has no bound of its own. */
  readonly isProxy: (address: string) => boolean;
}

/** A new connection that sends no request for this long counts as idle, in milliseconds. */
const silentMs = 1_000;

export function createOpenConnections({ max, perNetwork, isProxy }: OpenConnectionBounds): OpenConnections {
  const sockets = new Set<Socket>();
  const networks = new Map<string, Set<Socket>>();
  const readWhenAnswered = new WeakMap<Socket, number>();
  // The time at which each connection opened that has sent no request yet.
  const silentSince = new WeakMap<Socket, number>();

  const isIdle = (socket: Socket, now: number): boolean => {
    const since = silentSince.get(socket);
    return since === undefined ? readWhenAnswered.get(socket) === socket.bytesRead : now - since >= silentMs;
  };

  const networkOf = ({ remoteAddress }: Socket): string | undefined =>
    remoteAddress === undefined || isProxy(remoteAddress) ? undefined : networkOfClient(remoteAddress);

  const add = (socket: Socket, network: string | undefined): void => {
    const siblings = network === undefined ? undefined : (networks.get(network) ?? new Set());
    sockets.add(socket);
    if (network !== undefined && siblings !== undefined) networks.set(network, siblings.add(socket));
    socket.once('close', () => {
      sockets.delete(socket);
      siblings?.delete(socket);
      if (network !== undefined && siblings?.size === 0) networks.delete(network);
    });
  };

  return {
    sockets,
    admit(socket) {
      if (sockets.size >= max) return 'all';
      const network = networkOf(socket);
      if (network !== undefined && (networks.get(network)?.size ?? 0) >= perNetwork) return 'network';
      add(socket, network);
      silentSince.set(socket, performance.now());
      return 'admitted';
    },
    requestArrived: (socket) => void silentSince.delete(socket),
    responseSent: (socket) => void readWhenAnswered.set(socket, socket.bytesRead),
    closeIdle(like) {
      const now = performance.now();
      const among = like === undefined ? sockets : (networks.get(networkOf(like) ?? '') ?? []);
      for (const socket of among) if (isIdle(socket, now)) socket.destroy();
    },
  };
}
