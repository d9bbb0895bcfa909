import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { KnowledgeError } from '../../errors/knowledge-error.js';
import { httpLimits } from '../http-limits.js';
import { headersTooLarge, uriTooLong } from '../too-large.js';
import { discardThenDestroy, lingerMs, sendFailureOnSocket } from './socket-response.js';

/** The error that Node reports for a request that it refuses. Fastify's type for this error has a wrong `rawPacket`. */
export interface ClientError extends Error {
  code?: string | undefined;
  rawPacket?: unknown;
}

/**
 * Sends a failure for broken HTTP, a time-out or oversized headers, which Node reports without a request. `latest` is
 * the newest response of the connection: a request never gets two responses, and responses keep their order.
 */
export function refuseOnSocket(error: ClientError, socket: Socket, latest: ServerResponse | undefined): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else if (latest === undefined || (latest.writableFinished && latest.req.complete)) refuse(error, socket);
  else if (!latest.headersSent && !latest.req.complete && latest.socket === socket) refuse(error, socket);
  else closeAfterResponse(latest, socket);
}

function refuse(error: ClientError, socket: Socket): void {
  sendFailureOnSocket(clientError(error), socket);
}

/** Closes a connection after its newest response is sent. */
export function closeAfterResponse(latest: ServerResponse, socket: Socket): void {
  discardThenDestroy(socket, latest.writableFinished ? lingerMs : httpLimits.responseMs + lingerMs);
  if (latest.writableFinished) socket.end();
  else if (latest.headersSent) latest.once('finish', () => socket.end());
  else latest.shouldKeepAlive = false;
}

const proxyProtocol =
  'The proxy in front sends the PROXY protocol, which this server does not read: turn it off there, and send the address of the client as X-Forwarded-For.';

function clientError({ code, rawPacket }: ClientError): KnowledgeError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new KnowledgeError('request_timeout', 'The request did not arrive in time: 8 s for headers, 10 s in all.');
  }
  if (code === 'ERR_SERVER_STOPS') {
    const message = 'The service stopped before the whole request arrived; send it again.';
    return new KnowledgeError('unavailable', message, { retryAfterSeconds: 1 });
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    const inTarget = Buffer.isBuffer(rawPacket) && !rawPacket.subarray(0, 8 * 1024).includes('\n');
    return inTarget ? uriTooLong() : headersTooLarge();
  }
  if (code === 'HPE_INVALID_METHOD') {
    const isProxyProtocol =
      Buffer.isBuffer(rawPacket) && /^(?:PROXY |\r\n\r\n\0\r\nQUIT\n)/.test(rawPacket.toString('latin1'));
    return new KnowledgeError('bad_request', isProxyProtocol ? proxyProtocol : 'This is not a method of HTTP.');
  }
  if (code === 'HPE_INVALID_URL')
    return new KnowledgeError(
      'bad_request',
      'The address is not well-formed. All but ASCII must be percent-encoded UTF-8.',
    );
  return new KnowledgeError('bad_request', 'This is not well-formed HTTP.');
}
