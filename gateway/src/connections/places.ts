import type { Socket } from 'node:net';
import { networkOfClient } from '../client-address.js';

/** The open connections, in all and by the network that each comes from. */
export interface Places {
  readonly open: ReadonlySet<Socket>;
  /** Takes a connection, or names the bound that it would break: that of all, or that of its network. */
  take(socket: Socket): 'taken' | 'all' | 'network';
  /** The connection has answered all that came; it is idle until more arrives. */
  answered(socket: Socket): void;
  /** Closes the idle connections of the network from which this one comes. */
  closeIdle(like: Socket): void;
}

/** How many connections there may be. */
export interface PlaceBounds {
  readonly max: number;
  /** Of one network: an IPv4 address or an IPv6 /64. */
  readonly perNetwork: number;
  /** Proxies bring the connections of many clients; they have no bound of their own. */
  readonly isProxy: (address: string) => boolean;
}

/** Counts connections. */
export function createPlaces({ max, perNetwork, isProxy }: PlaceBounds): Places {
  const open = new Set<Socket>();
  const networks = new Map<string, Set<Socket>>();
  const readWhenAnswered = new WeakMap<Socket, number>();

  const networkOf = ({ remoteAddress }: Socket): string | undefined =>
    remoteAddress === undefined || isProxy(remoteAddress) ? undefined : networkOfClient(remoteAddress);

  const add = (socket: Socket, network: string | undefined): void => {
    const siblings = network === undefined ? undefined : (networks.get(network) ?? new Set());
    open.add(socket);
    if (network !== undefined && siblings !== undefined) networks.set(network, siblings.add(socket));
    socket.once('close', () => {
      open.delete(socket);
      siblings?.delete(socket);
      if (network !== undefined && siblings?.size === 0) networks.delete(network);
    });
  };

  return {
    open,
    take(socket) {
      if (open.size >= max) return 'all';
      const network = networkOf(socket);
      if (network !== undefined && (networks.get(network)?.size ?? 0) >= perNetwork) return 'network';
      add(socket, network);
      return 'taken';
    },
    answered: (socket) => void readWhenAnswered.set(socket, socket.bytesRead),
    closeIdle(like) {
      for (const socket of networks.get(networkOf(like) ?? '') ?? []) {
        if (readWhenAnswered.get(socket) === socket.bytesRead) socket.destroy();
      }
    },
  };
}
