import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { KnowledgeError } from '@knowledge/runtime';
import type { Connections } from './connections/connections.js';
import { sendLastFailure } from './connections/socket-response.js';
import { httpLimits } from './http-limits.js';

/** Serves some requests before they reach Fastify. */
export interface EarlyResponses {
  /** Sends the response and returns true, or returns false and leaves the request to Fastify. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
}

/** Makes the HTTP server below Fastify, with every bound that Node itself applies. */
export function createServer(
  framework: RequestListener,
  {
    fastPath,
    connections,
    isDraining,
  }: { fastPath: EarlyResponses; connections: Connections; isDraining: () => boolean },
): Server {
  const serve: RequestListener = (request, response) => {
    // The client's next request must go to another process, since this one may end before it arrives.
    const draining = isDraining();
    if (draining) response.setHeader('connection', 'close');
    if (draining || !fastPath.answer(request, response)) framework(request, response);
  };
  const server = createHttpServer(
    {
      headersTimeout: httpLimits.headersTimeoutMs,
      requestTimeout: httpLimits.requestTimeoutMs,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 1_000,
      // Node has one limit for the request target and the headers together. The limit of each is checked later.
      maxHeaderSize: httpLimits.targetBytes + httpLimits.headerBytes + 1024,
      requireHostHeader: false,
    },
    (request, response) => connections.serve(request, response, serve),
  );
  // Node would silently drop headers after the 2,000th, even a credential. Our checks bound them instead.
  server.maxHeadersCount = 0;
  connections.attach(server);
  server.on('checkExpectation', (request, response) => connections.serve(request, response, refuseExpectation));
  return server;
}

/** Refuses an `Expect` other than 100-continue. Node would send no body with its refusal. */
function refuseExpectation(request: IncomingMessage, response: ServerResponse): void {
  sendLastFailure(new KnowledgeError('bad_request', 'Leave the Expect header out.'), request, response);
}
