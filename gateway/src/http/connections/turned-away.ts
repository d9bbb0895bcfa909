import type { Socket } from 'node:net';
import { KnowledgeError } from '@knowledge/runtime';
import { sendFailureOnSocket } from './socket-response.js';

/** Connections that got a 503 as their only answer, and have a moment to read it. */
export interface TurnedAway {
  /** Answers 503. Beyond the bound the connection that was turned away first ends at once. */
  add(socket: Socket): void;
}

/** Keeps at most `max` of them. */
export function createTurnedAway(max: number): TurnedAway {
  // In the order in which they came.
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

/** What a connection is answered that is one too many. */
export function tooManyConnections(): KnowledgeError {
  return new KnowledgeError('unavailable', 'The service has too many connections; try again in a moment.', {
    retryAfterSeconds: 1,
  });
}
