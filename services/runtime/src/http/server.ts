import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { KnowledgeError } from '../errors/knowledge-error.js';
import type { Connections } from './connections.js';
import { sendLastFailure } from './failure.js';
import { httpLimits } from './request.js';

/** Serves some requests before they reach Fastify. */
export interface EarlyResponses {
  /** Sends the response and returns true. Otherwise it returns false, and Fastify serves the request. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
}

interface ServerOptions {
  readonly connections: Connections;
  readonly isDraining: () => boolean;
  readonly fastPath?: EarlyResponses | undefined;
  /** Whether an address is a proxy that the operator lists. */
  readonly isProxy: ((address: string) => boolean) | false;
  /** How long a connection may wait for its next request. */
  readonly keepAliveMs?: number | undefined;
  /** How long a whole request may take to arrive. */
  readonly requestTimeoutMs?: number | undefined;
}

/** Makes the HTTP server that calls Fastify, with all bounds that Node itself can apply. */
export function createServer(
  framework: RequestListener,
  { connections, isDraining, isProxy, fastPath, ...times }: ServerOptions,
): Server {
  const { keepAliveMs = httpLimits.keepAliveMs, requestTimeoutMs = httpLimits.requestTimeoutMs } = times;
  const serve: RequestListener = (request, response) => {
    settleHost(request, isProxy);
    if (request.url?.startsWith('/') !== true) return refuse(noPath, request, response);
    // This process is about to stop, so the client must open a new connection, which reaches another process.
    const draining = isDraining();
    if (draining) response.setHeader('connection', 'close');
    if (draining || fastPath?.answer(request, response) !== true) framework(request, response);
  };
  const server = createHttpServer(
    {
      headersTimeout: httpLimits.headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: 1_000,
      // Node has one limit for the request target and the headers together. Request checks limit each of them later.
      maxHeaderSize: httpLimits.targetBytes + httpLimits.headerBytes + 1024,
      requireHostHeader: false,
    },
    (request, response) => connections.serve(request, response, serve),
  );
  // Node would silently drop headers after the 2,000th, perhaps a credential. Request checks limit their number.
  server.maxHeadersCount = 0;
  // A client that ends only its sending side gets its answer. Node has this switch, but does not document it.
  Object.assign(server, { httpAllowHalfOpen: true });
  connections.attach(server);
  server.on('checkExpectation', (request, response) =>
    connections.serve(request, response, (...of) => refuse(expectation, ...of)),
  );
  return server;
}

// Node itself would refuse each Expect header except 100-continue without a body.
const expectation = 'Leave the Expect header out.';
// A router would take another form of target, such as `*`, for some path.
const noPath = 'The request target must be a path that begins with a slash, or a whole URL.';

/** Writes into `Host` which host was asked: that of a whole URL (RFC 9112), or what a listed proxy forwards. */
function settleHost(request: IncomingMessage, isProxy: ServerOptions['isProxy']) {
  const { headers, socket, url = '' } = request;
  const [, host, path] = (!url.startsWith('/') && /^https?:\/\/([^/?#@]+)([/?].*)?$/i.exec(url)) || [];
  if (host !== undefined) {
    headers.host = host;
    request.url = path?.startsWith('/') ? path : `/${path ?? ''}`;
  }
  const forwarded = headers['x-forwarded-host'];
  if (typeof forwarded !== 'string' || isProxy === false || !isProxy(socket.remoteAddress ?? '')) return;
  // The last one is what the listed proxy saw; what stands before it may come from anybody.
  headers.host = forwarded.split(',').at(-1)?.trim() ?? '';
}

function refuse(why: string, request: IncomingMessage, response: ServerResponse) {
  sendLastFailure(new KnowledgeError('bad_request', why), request, response);
}
