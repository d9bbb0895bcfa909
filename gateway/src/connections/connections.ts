import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { KnowledgeError, type Logger } from '@knowledge/runtime';
import { limits } from '../protocol/limits.js';
import { answerClientError, type ClientError, closeAfter } from './client-error.js';
import { answerOnSocket } from './socket-answer.js';

/** The open connections of the gateway, each with the newest response that it waits for. */
export interface Connections {
  /** Bounds the connections of a server, and answers what has no response object. */
  attach(server: Server): void;
  /** A request has come. */
  began(request: IncomingMessage, response: ServerResponse): void;
  /** Answers what the parser refuses. */
  refuse(error: ClientError, socket: Socket): void;
  /** The server closes: every connection ends with its next answer, the last ones after `limits.stopMs`. */
  end(): void;
}

/** What bounds the connections. */
export interface ConnectionBounds {
  /** How many may be open; beyond it a new one is answered with 503. */
  readonly max: number;
  readonly log: Logger;
  /** Told of each connection that was refused. */
  readonly onRefused: () => void;
}

/** How often idle connections are looked for while there are too many, in milliseconds. */
const makeRoomEveryMs = 100;

/** Keeps track of the connections of the gateway. */
export function createConnections({ max, log, onRefused }: ConnectionBounds): Connections {
  const open = new Set<Socket>();
  const latest = new WeakMap<object, ServerResponse>();
  let full = false;
  let roomMadeAt = Number.NEGATIVE_INFINITY;

  const admit = (server: Server, socket: Socket): void => {
    // Node reads the address once and keeps it: a client that leaves later still counts as itself.
    void socket.remoteAddress;
    if (open.size >= max) {
      answerOnSocket(tooMany(), socket);
      makeRoom(server);
      return;
    }
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      if (full && open.size < max * 0.9) full = false;
    });
  };

  const makeRoom = (server: Server): void => {
    onRefused();
    if (!full) log.warn({ connections: max }, 'no more connections are taken');
    full = true;
    const now = performance.now();
    if (now - roomMadeAt < makeRoomEveryMs) return;
    roomMadeAt = now;
    // Connections that wait for a next request give way to those that come with one.
    server.closeIdleConnections();
  };

  const refuseConnect = (socket: Socket): void => {
    const owed = latest.get(socket);
    if (owed === undefined || owed.writableFinished) answerOnSocket(noProxy(), socket, { allow: 'GET, HEAD' });
    else closeAfter(owed, socket);
  };

  return {
    attach(server) {
      // Those that read their refusal have room beside the others; beyond that the system refuses.
      server.maxConnections = Math.ceil(max * 1.25);
      server.on('connection', (socket) => admit(server, socket));
      server.on('connect', (_request, socket) => refuseConnect(socket as Socket));
      const sweep = sweepStalled(open);
      server.on('close', () => clearInterval(sweep));
    },
    began(request, response) {
      const { socket } = request;
      latest.set(socket, response);
      // Kept only where the rest of a request may follow its answer: an idle connection holds nothing.
      response.once('close', () => {
        if (request.complete && latest.get(socket) === response) latest.delete(socket);
      });
    },
    refuse: (error, socket) => answerClientError(error, socket, latest.get(socket)),
    end() {
      for (const socket of open) endWithAnswer(socket, latest.get(socket));
      setTimeout(() => {
        for (const socket of open) socket.destroy();
      }, limits.stopMs).unref();
    },
  };
}

function endWithAnswer(socket: Socket, latest: ServerResponse | undefined): void {
  if (latest === undefined) {
    if (socket.bytesRead === 0) socket.destroy();
  } else if (latest.headersSent) {
    if (!latest.writableFinished) latest.once('finish', () => socket.destroySoon());
  } else latest.shouldKeepAlive = false;
}

// A client that does not read its answer would otherwise keep its connection, and the answer, for ever.
function sweepStalled(open: ReadonlySet<Socket>): NodeJS.Timeout {
  const since = new WeakMap<Socket, number>();
  return setInterval(() => {
    const now = Date.now();
    for (const socket of open) {
      const begun = since.get(socket);
      if (socket.writableLength === 0) since.delete(socket);
      else if (begun === undefined) since.set(socket, now);
      else if (now - begun > limits.takeAnswerMs) socket.destroy();
    }
  }, 1_000).unref();
}

function tooMany(): KnowledgeError {
  return new KnowledgeError('unavailable', 'The service has too many connections; try again in a moment.', {
    retryAfterSeconds: 1,
  });
}

function noProxy(): KnowledgeError {
  return new KnowledgeError('method_not_allowed', 'This is no proxy.');
}
