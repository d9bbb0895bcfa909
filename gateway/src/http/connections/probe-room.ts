import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { pathOf } from '../raw-request.js';
import type { TurnedAway } from './turned-away.js';

/**
 * Room for connections beyond the bound, so that health probes get a response while all others are refused. A connection
 * may send one request here, within a short time.
 */
export interface ProbeRoom {
  /** Adds a connection. A full room turns away the one that is silent for longest; false if none is silent. */
  admit(socket: Socket): boolean;
  /** Whether the request is a health probe; undefined for a connection outside this room. */
  isProbe(request: IncomingMessage): boolean | undefined;
}

// A probe sends its request at once. With this limit, 256 places serve 1,000 connections a second.
const requestWithinMs = 250;

/** Makes a room for at most `max` connections; those that send no request in time are turned away. */
export function createProbeRoom(max: number, turnedAway: TurnedAway): ProbeRoom {
  const all = new Set<Socket>();
  // In the order of their arrival.
  const silent = new Map<Socket, NodeJS.Timeout>();

  const endSilence = (socket: Socket): void => {
    clearTimeout(silent.get(socket));
    silent.delete(socket);
  };
  const giveUp = (socket: Socket): void => {
    endSilence(socket);
    all.delete(socket);
    turnedAway.add(socket);
  };

  return {
    admit(socket) {
      const [oldest] = silent.keys();
      if (all.size >= max && oldest === undefined) return false;
      if (all.size >= max && oldest !== undefined) giveUp(oldest);
      all.add(socket);
      silent.set(
        socket,
        setTimeout(() => giveUp(socket), requestWithinMs),
      );
      socket.on('error', () => socket.destroy());
      socket.once('close', () => {
        endSilence(socket);
        all.delete(socket);
      });
      return true;
    },
    isProbe({ socket, url = '' }) {
      if (!all.has(socket)) return undefined;
      endSilence(socket);
      return probes.has(pathOf(url));
    },
  };
}

const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
