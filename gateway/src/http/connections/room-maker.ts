import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Logger } from '@knowledge/runtime';
import type { OpenConnections } from './open-connections.js';

/** Makes room after a refusal: connections that wait for a next request give way to those that come with one. */
export type RoomMaker = (full: 'all' | 'network', refused: Socket) => void;

interface Room {
  readonly connections: OpenConnections;
  readonly log: Logger;
  readonly onRefused: () => void;
}

/** How often idle connections are looked for, and how often the log tells of it, in milliseconds. */
const every = { room: 100, line: 60_000 };

/** Makes room in a bounded number of steps, however many connections are refused. */
export function createRoomMaker({ connections, log, onRefused }: Room): RoomMaker {
  const last = { all: never(), network: never() };
  return (full, refused) => {
    if (full === 'all') onRefused();
    const now = performance.now();
    const { room, line } = last[full];
    if (now - line >= every.line) {
      last[full].line = now;
      log.warn({ connections: connections.sockets.size }, lines[full]);
    }
    if (now - room < every.room) return;
    last[full].room = now;
    connections.closeIdle(full === 'all' ? undefined : refused);
  };
}

const lines = {
  all: 'no more connections are taken',
  network: 'no more connections are taken from one network',
};

function never(): Record<'room' | 'line', number> {
  return { room: Number.NEGATIVE_INFINITY, line: Number.NEGATIVE_INFINITY };
}
