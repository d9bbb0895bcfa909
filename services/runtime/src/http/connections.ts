import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { KnowledgeError } from '../errors/knowledge-error.js';
import type { Logger } from '../log/logger.js';
import { type ClientError, closeAfterResponse, endGently, refuseOnSocket, sendFailureOnSocket } from './failure.js';
import { createOpenConnections, createRoomMaker, type OpenConnectionBounds } from './open-connections.js';
import { httpLimits } from './request.js';

/** The bounds for connections. A connection beyond them gets a 503. */
interface ConnectionBounds extends OpenConnectionBounds {
  readonly log: Logger;
  /** Called for each connection that is refused because of `max`, the bound for all connections. */
  readonly onRefused: () => void;
}

export type Connections = ReturnType<typeof createConnections>;

/** Admits connections, serves the requests of each connection in order, and closes connections. */
export function createConnections({ log, onRefused, ...bounds }: ConnectionBounds) {
  const connections = createOpenConnections(bounds);
  const refused = createRefusedConnections(Math.ceil(bounds.max / 4));
  const queues = new WeakMap<object, Queue>();
  const makeRoom = createRoomMaker({ log, onRefused, connections });

  const admit = (socket: Socket) => {
    // Node caches the address when it is read first, so it is still known after the client disconnects.
    void socket.remoteAddress;
    endGently(socket, () => queues.get(socket)?.latest);
    const outcome = connections.admit(socket);
    if (outcome === 'admitted') return;
    refused.add(socket);
    makeRoom(outcome, socket);
  };

  const refuseConnect = (request: IncomingMessage, socket: Socket) => {
    const newest = queues.get(socket)?.latest;
    if (newest === undefined || newest.writableFinished)
      sendFailureOnSocket(noProxy(), socket, request, { allow: 'GET, HEAD' });
    else closeAfterResponse(newest, socket);
  };

  const queueOf = (socket: Socket) => {
    let queue = queues.get(socket);
    if (queue === undefined) {
      queue = { latest: undefined, waiting: 0, dropped: 0 };
      queues.set(socket, queue);
    }
    return queue;
  };

  // Node keeps dropped requests in memory until their connection closes. Thousands of them would take megabytes.
  const drop = (queue: Queue, socket: Socket) => {
    queue.dropped += 1;
    if (queue.dropped === httpLimits.droppedRequests) process.nextTick(() => socket.destroy());
  };

  // Waits for the next turn of the event loop, so that other connections are served in between.
  const serveAfter = (before: ServerResponse, queue: Queue, socket: Socket, serve: () => void) => {
    queue.waiting += 1;
    before.once('close', () =>
      setImmediate(() => {
        queue.waiting -= 1;
        if (!socket.destroyed) serve();
      }),
    );
  };

  // Keeps the response only while the rest of its request may arrive. An idle connection then takes no memory.
  // One function serves all responses, since a closure and a wrapper for each would cost more than this does.
  const responseClosed = function (this: ServerResponse): void {
    const { complete, socket } = this.req;
    const queue = queues.get(socket);
    if (!complete || queue?.latest !== this) return;
    queue.latest = undefined;
    connections.responseSent(socket);
  };

  return {
    /** Applies the bounds to the connections of a server. It also refuses `CONNECT` requests. */
    attach(server: Server) {
      server.on('connection', admit);
      server.on('connect', (request, socket) => refuseConnect(request, socket as Socket));
      const sweep = sweepStalled(connections.sockets);
      server.on('close', () => clearInterval(sweep));
    },
    /** Serves a request after the earlier requests of its connection. Other connections get their turn in between. */
    serve(request: IncomingMessage, response: ServerResponse, listener: RequestListener) {
      const { socket } = request;
      connections.requestArrived(socket);
      const queue = queueOf(socket);
      const { latest: before, waiting } = queue;
      if (waiting >= httpLimits.waitingRequests) return drop(queue, socket);
      queue.latest = response;
      response.on('close', responseClosed);
      if (before === undefined || before.closed) return listener(request, response);
      serveAfter(before, queue, socket, () => listener(request, response));
      // The parser is still reading this connection, so the connection closes after the parser returns.
      const { waitingRequests } = httpLimits;
      if (waiting + 1 === waitingRequests) process.nextTick(closeAfterResponse, response, socket, waitingRequests);
    },
    /** Sends a failure for a request that the HTTP parser refused. */
    refuse: (error: ClientError, socket: Socket) => refuseOnSocket(error, socket, queues.get(socket)?.latest),
    /** Closes each connection after its next response. After `httpLimits.stopMs` it refuses incomplete requests. */
    end() {
      for (const socket of connections.sockets) endWithAnswer(socket, queues.get(socket)?.latest);
      setTimeout(() => {
        for (const socket of connections.sockets) refuseOnSocket(stopping, socket, queues.get(socket)?.latest);
      }, httpLimits.stopMs).unref();
    },
  };
}

/** The requests of one connection. */
interface Queue {
  /** The response to the newest request. */
  latest: ServerResponse | undefined;
  /** The number of requests that wait for an earlier one. */
  waiting: number;
  /** The number of requests that were dropped because too many waited. */
  dropped: number;
}

function endWithAnswer(socket: Socket, latest: ServerResponse | undefined) {
  if (latest === undefined) {
    if (socket.bytesRead === 0) socket.destroy();
  } else if (latest.headersSent) {
    if (!latest.writableFinished) latest.once('finish', () => socket.destroySoon());
  } else latest.shouldKeepAlive = false;
}

const stopping: ClientError = Object.assign(new Error('The server stops.'), { code: 'ERR_SERVER_STOPS' });

function noProxy() {
  return new KnowledgeError('method_not_allowed', 'This server is not a proxy.');
}

/** Destroys connections whose client does not read its response, because the response stays in memory meanwhile. */
function sweepStalled(open: ReadonlySet<Socket>) {
  const since = new WeakMap<Socket, number>();
  return setInterval(() => {
    const now = Date.now();
    for (const socket of open) {
      const begun = since.get(socket);
      if (socket.writableLength === 0) since.delete(socket);
      else if (begun === undefined) since.set(socket, now);
      else if (now - begun > httpLimits.readResponseMs) socket.destroy();
    }
  }, 1_000).unref();
}

/** Connections that got a 503 as their only response. They stay open for a moment, so that clients can read it. */
function createRefusedConnections(max: number) {
  // The connections on the list, oldest first.
  const all = new Set<Socket>();
  return {
    /** Sends the 503. If the list is full, this destroys its oldest connection. */
    add(socket: Socket) {
      const [oldest] = all;
      if (all.size >= max) oldest?.destroy();
      if (all.size >= max && oldest !== undefined) all.delete(oldest);
      all.add(socket);
      socket.once('close', () => all.delete(socket));
      sendFailureOnSocket(tooManyConnections(), socket);
    },
  };
}

function tooManyConnections() {
  return new KnowledgeError('unavailable', 'The service has too many connections; try again in a moment.', {
    retryAfterSeconds: 1,
  });
}
