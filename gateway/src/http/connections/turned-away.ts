import type { Socket } from 'node:net';
import { KnowledgeError } from '@knowledge/runtime';
import { sendFailureOnSocket } from './socket-response.js';

/** Connections that got a 503 as their only response, and have a moment to read it. */
export interface TurnedAway {
  /** Sends 503. Beyond the bound, the connection that was turned away first is destroyed. */
  add(socket: Socket): void;
}

/** Makes the list of at most `max` connections that were turned away. */
export function createTurnedAway(max: number): TurnedAway {
  // In the order of their arrival.
  const all = new Set<Socket>();
  return {
    add(socket) {
      const [oldest] = all;
      if (all.size >= max) oldest?.destroy();
      if (all.size >= max && oldest !== undefined) all.delete(oldest);
      all.add(socket);
      socket.once('close', () => all.delete(socket));
      sendFailureOnSocket(tooManyConnections(), socket);
    },
  };
}

/** The failure for a connection beyond the bound. */
export function tooManyConnections(): KnowledgeError {
  return new KnowledgeError('unavailable', 'The service has too many connections; try again in a moment.', {
    retryAfterSeconds: 1,
  });
}
