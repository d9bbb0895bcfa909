import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { networkOfClient } from '../client-address.js';

/** The open connections, in all and by the network that each comes from. */
export interface OpenConnections {
  readonly sockets: ReadonlySet<Socket>;
  /** Takes a connection, or names the bound that it would break: that of all, or that of its network. */
  admit(socket: Socket): 'taken' | 'all' | 'network';
  /** The connection has sent a request. */
  requestArrived(socket: Socket): void;
  /** The connection has answered all that came; it is idle until more arrives. */
  responseSent(socket: Socket): void;
  /**
   * Closes the connections that wait for a next request, or never sent one: all of them, or those of the network from which
   * this one comes.
   */
  closeIdle(like?: Socket): void;
}

/** How many connections there may be. */
export interface OpenConnectionBounds {
  readonly max: number;
  /** Of one network: an IPv4 address or an IPv6 /64. */
  readonly perNetwork: number;
  /** Proxies bring the connections of many clients; they have no bound of their own. */
  readonly isProxy: (address: string) => boolean;
}

/** A connection may say nothing for so long before it counts as idle, in milliseconds. */
const silentMs = 1_000;

/** Counts connections. */
export function createOpenConnections({ max, perNetwork, isProxy }: OpenConnectionBounds): OpenConnections {
  const sockets = new Set<Socket>();
  const networks = new Map<string, Set<Socket>>();
  const readWhenAnswered = new WeakMap<Socket, number>();
  // When a connection was opened that has sent no request yet.
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
      return 'taken';
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
