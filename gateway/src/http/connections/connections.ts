import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { KnowledgeError, type Logger } from '@knowledge/runtime';
import { httpLimits } from '../http-limits.js';
import { type ClientError, closeAfterResponse, refuseOnSocket } from './client-error.js';
import { createOpenConnections, type OpenConnectionBounds } from './open-connections.js';
import { createProbeRoom } from './probe-room.js';
import { createRoomMaker } from './room-maker.js';
import { sendFailureOnSocket, sendLastFailure } from './socket-response.js';
import { sweepStalled } from './stalled.js';
import { createTurnedAway, tooManyConnections } from './turned-away.js';

/** The open connections of the gateway, each with the newest response that it waits for. */
export interface Connections {
  /** Bounds the connections of a server, and answers what has no response object. */
  attach(server: Server): void;
  /** Serves a request once those before it on its connection are answered, in turn with all other connections. */
  serve(request: IncomingMessage, response: ServerResponse, listener: RequestListener): void;
  /** Answers what the parser refuses. */
  refuse(error: ClientError, socket: Socket): void;
  /** The server closes: every connection ends with its next answer, the last ones after `limits.stopMs`. */
  end(): void;
}

/** What bounds the connections. Beyond it a new one gets a 503, unless it asks for a probe. */
export interface ConnectionBounds extends OpenConnectionBounds {
  /** How many connections beyond `max` may ask for a probe at a time. */
  readonly probes?: number;
  readonly log: Logger;
  /** Called for each connection that is refused because there are too many in all. */
  readonly onRefused: () => void;
}

/** Keeps track of the connections of the gateway. */
export function createConnections({ log, onRefused, probes = 256, ...bounds }: ConnectionBounds): Connections {
  const connections = createOpenConnections(bounds);
  const turnedAway = createTurnedAway(Math.ceil(bounds.max / 4));
  const probeRoom = createProbeRoom(probes, turnedAway);
  const latest = new WeakMap<object, ServerResponse>();
  const waiting = new WeakMap<object, number>();
  const dropped = new WeakMap<object, number>();
  const makeRoom = createRoomMaker({ log, onRefused, connections });

  const admit = (socket: Socket): void => {
    // Node reads the address once and keeps it: a client that leaves later still counts as itself.
    void socket.remoteAddress;
    const taken = connections.admit(socket);
    if (taken === 'taken') return;
    if (!probeRoom.take(socket)) turnedAway.add(socket);
    makeRoom(taken, socket);
  };

  const refuseConnect = (socket: Socket): void => {
    const newest = latest.get(socket);
    if (newest === undefined || newest.writableFinished) sendFailureOnSocket(noProxy(), socket, { allow: 'GET, HEAD' });
    else closeAfterResponse(newest, socket);
  };

  const serveNow = (request: IncomingMessage, response: ServerResponse, listener: RequestListener): void => {
    const isProbe = probeRoom.isProbe(request);
    if (isProbe !== undefined) response.setHeader('connection', 'close');
    if (isProbe === false) sendLastFailure(tooManyConnections(), request, response);
    else listener(request, response);
  };

  // Node keeps what is left out for as long as its connection: thousands of requests would be megabytes.
  const drop = (socket: Socket): void => {
    const count = (dropped.get(socket) ?? 0) + 1;
    dropped.set(socket, count);
    if (count === httpLimits.droppedRequests) process.nextTick(() => socket.destroy());
  };

  // An answer in between gives the event loop to the others: one request a connection and a turn of the loop.
  const serveAfter = (before: ServerResponse, socket: Socket, serve: () => void): void => {
    waiting.set(socket, (waiting.get(socket) ?? 0) + 1);
    before.once('close', () =>
      setImmediate(() => {
        waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
        if (!socket.destroyed) serve();
      }),
    );
  };

  return {
    attach(server) {
      server.on('connection', admit);
      server.on('connect', (_request, socket) => refuseConnect(socket as Socket));
      const sweep = sweepStalled(connections.sockets);
      server.on('close', () => clearInterval(sweep));
    },
    serve(request, response, listener) {
      const { socket } = request;
      connections.requestArrived(socket);
      const before = latest.get(socket);
      const inLine = waiting.get(socket) ?? 0;
      if (inLine >= httpLimits.waitingRequests) return drop(socket);
      latest.set(socket, response);
      // Kept only where the rest of a request may follow its answer: an idle connection holds nothing.
      response.once('close', () => {
        if (!request.complete || latest.get(socket) !== response) return;
        latest.delete(socket);
        connections.responseSent(socket);
      });
      if (before === undefined || before.closed) return serveNow(request, response, listener);
      serveAfter(before, socket, () => serveNow(request, response, listener));
      // The parser is at work on these bytes; it is left when it is through with them.
      if (inLine + 1 === httpLimits.waitingRequests) process.nextTick(() => closeAfterResponse(response, socket));
    },
    refuse: (error, socket) => refuseOnSocket(error, socket, latest.get(socket)),
    end() {
      for (const socket of connections.sockets) endWithAnswer(socket, latest.get(socket));
      setTimeout(() => {
        for (const socket of connections.sockets) refuseOnSocket(stopping, socket, latest.get(socket));
      }, httpLimits.stopMs).unref();
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

const stopping: ClientError = Object.assign(new Error('The server stops.'), { code: 'ERR_SERVER_STOPS' });

function noProxy(): KnowledgeError {
  return new KnowledgeError('method_not_allowed', 'This is no proxy.');
}
