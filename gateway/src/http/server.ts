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

/** Answers some requests before Fastify is entered. */
export interface EarlyResponses {
  /** Answers if it can; else the framework must. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
}

/** The HTTP server under the framework, with every bound that Node itself keeps. */
export function createServer(
  framework: RequestListener,
  {
    fastPath,
    connections,
    isDraining,
  }: { fastPath: EarlyResponses; connections: Connections; isDraining: () => boolean },
): Server {
  const answer: RequestListener = (request, response) => {
    // So that its next request goes elsewhere, instead of meeting the end of this process on the way.
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
      // Node counts the request target in; both are checked for their own bounds afterwards.
      maxHeaderSize: httpLimits.targetBytes + httpLimits.headerBytes + 1024,
      requireHostHeader: false,
    },
    (request, response) => connections.serve(request, response, answer),
  );
  // Node drops what comes after the 2,000th in silence, a credential too; their size and number are checked instead.
  server.maxHeadersCount = 0;
  connections.attach(server);
  server.on('checkExpectation', (request, response) => connections.serve(request, response, answerExpectation));
  return server;
}

/** Answers an `Expect` other than 100-continue, for which Node has an answer without a body. */
function answerExpectation(request: IncomingMessage, response: ServerResponse): void {
  sendLastFailure(new KnowledgeError('bad_request', 'Leave the Expect header out.'), request, response);
}
