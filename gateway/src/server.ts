import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { answerConnect, answerExpectation } from './error-handler.js';
import type { Front } from './front/front.js';
import { limits } from './protocol/limits.js';

/** The HTTP server under the framework, with every bound of protocol.md section 2 that Node itself keeps. */
export function createServer(framework: RequestListener, front: Front, isDraining: () => boolean): Server {
  const server = createHttpServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 1_000,
      // Node counts the request target in; both are checked for their own bounds afterwards.
      maxHeaderSize: limits.targetBytes + limits.headerBytes + 1024,
      requireHostHeader: false,
    },
    (request, response) => {
      // So that its next request goes elsewhere, instead of meeting the end of this process on the way.
      const draining = isDraining();
      if (draining) response.setHeader('connection', 'close');
      if (draining || !front.answer(request, response)) framework(request, response);
    },
  );
  server.on('connect', answerConnect);
  server.on('checkExpectation', answerExpectation);
  return server;
}
