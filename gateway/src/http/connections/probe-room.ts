import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { pathOf } from '../raw-request.js';
import type { TurnedAway } from './turned-away.js';

/**
 * Room for connections beyond the bound, so that health probes are answered when all others are refused. A connection has
 * one request here, and little time for it.
 */
export interface ProbeRoom {
  /** Takes a connection, if need be in place of the one that has said nothing for longest; false if all are at work. */
  take(socket: Socket): boolean;
  /** Undefined for a connection that is not here, else whether its request is one for a probe. */
  isProbe(request: IncomingMessage): boolean | undefined;
}

// A probe comes from nearby and sends its request with its connection. 256 places for this time take 1,000 a second.
const askWithinMs = 250;

/** Makes the room for so many connections; those that ask for nothing are turned away. */
export function createProbeRoom(max: number, turnedAway: TurnedAway): ProbeRoom {
  const all = new Set<Socket>();
  // In the order in which they came.
  const silent = new Map<Socket, NodeJS.Timeout>();

  const heard = (socket: Socket): void => {
    clearTimeout(silent.get(socket));
    silent.delete(socket);
  };
  const giveUp = (socket: Socket): void => {
    heard(socket);
    all.delete(socket);
    turnedAway.add(socket);
  };

  return {
    take(socket) {
      const [oldest] = silent.keys();
      if (all.size >= max && oldest === undefined) return false;
      if (all.size >= max && oldest !== undefined) giveUp(oldest);
      all.add(socket);
      silent.set(
        socket,
        setTimeout(() => giveUp(socket), askWithinMs),
      );
      socket.on('error', () => socket.destroy());
      socket.once('close', () => {
        heard(socket);
        all.delete(socket);
      });
      return true;
    },
    isProbe({ socket, url = '' }) {
      if (!all.has(socket)) return undefined;
      heard(socket);
      return probes.has(pathOf(url));
    },
  };
}

const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
