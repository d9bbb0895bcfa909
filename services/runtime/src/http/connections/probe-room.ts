import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { KnowledgeError } from '../../errors/knowledge-error.js';
import { pathOf } from '../request.js';
import { sendFailureOnSocket } from './socket-response.js';

// A probe sends its request at once. With this limit, 256 places serve 1,000 connections a second.
const requestWithinMs = 250;

/**
 * Makes room beyond the bound, so that health probes get a response even when the gateway is full. Each connection may
 * send one request; without one in time it gets a 503.
 */
export function createProbeRoom(max: number, refused: RefusedConnections) {
  const all = new Set<Socket>();
  // Connections that have sent no request yet, oldest first, each with the timer that removes it.
  const silent = new Map<Socket, NodeJS.Timeout>();

  const endSilence = (socket: Socket): void => {
    clearTimeout(silent.get(socket));
    silent.delete(socket);
  };
  const giveUp = (socket: Socket): void => {
    endSilence(socket);
    all.delete(socket);
    refused.add(socket);
  };

  return {
    /** Adds a connection. A full room first removes its oldest connection without a request; false if there is none. */
    admit(socket: Socket): boolean {
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
    /** Whether the request is a health probe; undefined for a connection that is not in this room. */
    isProbe({ socket, url = '' }: IncomingMessage): boolean | undefined {
      if (!all.has(socket)) return undefined;
      endSilence(socket);
      return probes.has(pathOf(url));
    },
  };
}

const probes: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

type RefusedConnections = ReturnType<typeof createRefusedConnections>;

/** Connections that got a 503 as their only response. They stay open for a moment, so that clients can read it. */
export function createRefusedConnections(max: number) {
  // The connections on the list, oldest first.
  const all = new Set<Socket>();
  return {
    /** Sends the 503. If the list is full, this destroys its oldest connection. */
    add(socket: Socket): void {
      const [oldest] = all;
      if (all.size >= max) oldest?.destroy();
      if (all.size >= max && oldest !== undefined) all.delete(oldest);
      all.add(socket);
      socket.once('close', () => all.delete(socket));
      sendFailureOnSocket(tooManyConnections(), socket);
    },
  };
}

export function tooManyConnections(): KnowledgeError {
  return new KnowledgeError('unavailable', 'The service has too many connections; try again in a moment.', {
    retryAfterSeconds: 1,
  });
}
