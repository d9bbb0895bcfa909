import type { Socket } from 'node:net';
import { KnowledgeError } from '../../errors/knowledge-error.js';
import { sendFailureOnSocket } from './socket-response.js';

/** Connections that got a 503 as their only response. They stay open for a moment, so that clients can read it. */
export interface RefusedConnections {
  /** Sends the 503. If the list is full, this destroys its oldest connection. */
  add(socket: Socket): void;
}

export function createRefusedConnections(max: number): RefusedConnections {
  // The connections on the list, oldest first.
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

export function tooManyConnections(): KnowledgeError {
  return new KnowledgeError('unavailable', 'The service has too many connections; try again in a moment.', {
    retryAfterSeconds: 1,
  });
}
