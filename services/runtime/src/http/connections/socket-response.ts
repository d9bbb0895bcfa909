import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { errorCatalogue } from '../../errors/catalogue.js';
import type { KnowledgeError } from '../../errors/knowledge-error.js';
import { failureBody, failureHeaders } from '../failure.js';
import { httpLimits } from '../http-limits.js';
import { newRequestId, requestIdOf } from '../request-id.js';

/** How long a connection stays open after its last response, in milliseconds. The client needs this time to read it. */
export const lingerMs = 1_000;

/** Writes a failure to a connection that has no response object, and closes the connection. */
export function sendFailureOnSocket(known: KnowledgeError, socket: Duplex, more: Record<string, string> = {}): void {
  const { http } = errorCatalogue[known.code];
  const body = failureBody(known);
  const headers = { ...headersOf(known, body, newRequestId()), ...more };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  discardThenDestroy(socket, lingerMs);
  socket.end(`HTTP/1.1 ${http} ${STATUS_CODES[http]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** Sends a failure for a request that does not reach Fastify, and closes the connection. */
export function sendLastFailure(known: KnowledgeError, request: IncomingMessage, response: ServerResponse): void {
  const body = failureBody(known);
  response.writeHead(errorCatalogue[known.code].http, headersOf(known, body, requestIdOf(request))).end(body);
}

function headersOf(known: KnowledgeError, body: string, id: string): Record<string, string> {
  return {
    ...failureHeaders(known),
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-content-type-options': 'nosniff',
    // These failures have words of ours alone, so every web page may read why its request failed.
    'access-control-allow-origin': '*',
    'x-request-id': id,
    connection: 'close',
  };
}

/**
 * Discards further bytes from the client, and destroys the connection after `ms` milliseconds. If it were destroyed at
 * once, the client could lose the response.
 */
export function discardThenDestroy(socket: Duplex, ms: number): void {
  socket.on('error', () => socket.destroy());
  socket.removeAllListeners('data');
  socket.removeAllListeners('end');
  socket.on('data', () => undefined);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), ms);
  socket.once('close', () => clearTimeout(timer));
}

/**
 * Lets a client read a last response that comes before the end of its request. Node would destroy the connection at
 * once, and the rest of the request would make it a reset, in which the response is lost.
 */
export function endGently(socket: Socket, latest: () => ServerResponse | undefined): void {
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (latest()?.req.complete !== false) return destroySoon();
    discardThenDestroy(socket, httpLimits.requestTimeoutMs);
    const most = socket.bytesRead + maxDiscarded;
    socket.on('data', () => socket.bytesRead > most && socket.destroy());
    socket.end();
  };
}

/** The largest number of bytes that are read and discarded after a last response. */
const maxDiscarded = 16 * 1024 * 1024;
