import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Logger } from '../../log/logger.js';
import type { OpenConnections } from './open-connections.js';

/** Closes idle connections after a connection was refused, so that the next one can be admitted. */
export type RoomMaker = (full: 'all' | 'network', refused: Socket) => void;

interface Room {
  readonly connections: OpenConnections;
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
