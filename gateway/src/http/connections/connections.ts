import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { KnowledgeError, type Logger } from '@knowledge/runtime';
import { httpLimits } from '../http-limits.js';
import { type ClientError, closeAfterResponse, refuseOnSocket } from './client-error.js';
import { createOpenConnections, type OpenConnectionBounds } from './open-connections.js';
import { createProbeRoom } from './probe-room.js';
import { createRefusedConnections, tooManyConnections } from './refused-connections.js';
import { createRoomMaker } from './room-maker.js';
import { sendFailureOnSocket, sendLastFailure } from './socket-response.js';
import { sweepStalled } from './stalled.js';

/** Admits connections, serves the requests of each connection in order, and closes connections. */
export interface Connections {
  /** Applies the bounds to the connections of a server. It also refuses `CONNECT` requests. */
  attach(server: Server): void;
  /** Serves a request after the earlier requests of its connection. Other connections get their turn in between. */
  serve(request: IncomingMessage, response: ServerResponse, listener: RequestListener): void;
  /** Sends a failure for a request that the HTTP parser refused. */
  refuse(error: ClientError, socket: Socket): void;
  /** Closes each connection after its next response. After `httpLimits.stopMs` it refuses incomplete requests. */
  end(): void;
}

/** The bounds for connections. A connection beyond them gets a 503, unless it sends a health probe. */
export interface ConnectionBounds extends OpenConnectionBounds {
  /** The number of connections beyond `max` that may send a health probe at the same time. */
  readonly probes?: number;
  readonly log: Logger;
  /** Called for each connection that is refused because of `max`, the bound for all connections. */
  readonly onRefused: () => void;
}

export function createConnections({ log, onRefused, probes = 256, ...bounds }: ConnectionBounds): Connections {
  const connections = createOpenConnections(bounds);
  const refused = createRefusedConnections(Math.ceil(bounds.max / 4));
  const probeRoom = createProbeRoom(probes, refused);
  const latest = new WeakMap<object, ServerResponse>();
  const waiting = new WeakMap<object, number>();
  const dropped = new WeakMap<object, number>();
  const makeRoom = createRoomMaker({ log, onRefused, connections });

  const admit = (socket: Socket): void => {
    // Node caches the address when it is read first, so it is still known after the client disconnects.
    void socket.remoteAddress;
    const outcome = connections.admit(socket);
    if (outcome === 'admitted') return;
    if (!probeRoom.admit(socket)) refused.add(socket);
    makeRoom(outcome, socket);
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

  // Node keeps dropped requests in memory until their connection closes. Thousands of them would take megabytes.
  const drop = (socket: Socket): void => {
    const count = (dropped.get(socket) ?? 0) + 1;
    dropped.set(socket, count);
    if (count === httpLimits.droppedRequests) process.nextTick(() => socket.destroy());
  };

  // Waits for the next turn of the event loop, so that other connections are served in between.
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
      // Keeps the response only while the rest of its request may arrive. An idle connection then takes no memory.
      response.once('close', () => {
        if (!request.complete || latest.get(socket) !== response) return;
        latest.delete(socket);
        connections.responseSent(socket);
      });
      if (before === undefined || before.closed) return serveNow(request, response, listener);
      serveAfter(before, socket, () => serveNow(request, response, listener));
      // The parser is still reading this connection, so the connection closes after the parser returns.
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
  return new KnowledgeError('method_not_allowed', 'This server is not a proxy.');
}
