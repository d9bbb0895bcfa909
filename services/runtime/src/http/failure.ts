import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ErrorCode, errorCatalogue } from '../errors/catalogue.js';
import { KnowledgeError } from '../errors/knowledge-error.js';
import { httpLimits, newRequestId, requestIdOf } from './request.js';

/**
 * Makes the body of a failure: exactly `{ ok: false, error, message }` (gateway/PROTOCOL.md#envelope). The message
 * repeats the Retry-After header, because many tools of agents show only the body.
 */
export function failureBody(error: KnowledgeError): string {
  const { code, message, retryAfterSeconds } = error;
  const seconds = retryAfterSeconds === undefined ? undefined : waitOf(error);
  const wait = seconds === undefined ? '' : ` Wait ${seconds} s, then try again.`;
  return JSON.stringify({ ok: false, error: code, message: `${message}${wait}` });
}

/** The wait of a 429 or 503. A limit of a day has none: retry libraries would sleep for hours, and nobody would read the message. */
function waitOf({ code, metadata, retryAfterSeconds = 1 }: KnowledgeError) {
  const { http } = errorCatalogue[code];
  const mayWait = (http === 429 && metadata?.['window'] !== 'day') || http === 503;
  return mayWait ? Math.max(1, Math.ceil(retryAfterSeconds)) : undefined;
}

/** Makes the headers of a failure (gateway/PROTOCOL.md#errors). */
export function failureHeaders(error: KnowledgeError): Record<string, string> {
  const { code } = error;
  const headers: Record<string, string> = { 'cache-control': 'no-store' };
  if (errorCatalogue[code].http === 401) headers['www-authenticate'] = challenge(code);
  // RFC 9110 section 15.5.16; Accept-Post is the same of the Linked Data Platform.
  if (code === 'unsupported_media_type') headers['accept'] = headers['accept-post'] = 'application/json';
  const wait = waitOf(error);
  if (wait !== undefined) headers['retry-after'] = String(wait);
  return headers;
}

// RFC 6750 section 3: the header has no error attribute if the caller sent no token.
function challenge(code: ErrorCode): string {
  return code === 'invalid_token' ? 'Bearer realm="knowledge", error="invalid_token"' : 'Bearer realm="knowledge"';
}

/** The failure for a request target over 8 KiB. */
export function uriTooLong(): KnowledgeError {
  return new KnowledgeError('uri_too_long', 'The request target is over 8 KiB; send a shorter one.');
}

/** The failure for a header block over 16 KiB, or with over 1,000 headers. */
function headersTooLarge(): KnowledgeError {
  return new KnowledgeError(
    'headers_too_large',
    'The headers have over 16 KiB, or there are over 1,000; send fewer or shorter ones.',
  );
}

/**
 * Finds what makes the headers of a request unsafe to read. It reads them as the client sent them, because Node drops a
 * second `Host` header without an error.
 */
export function headerFault(request: IncomingMessage): KnowledgeError | undefined {
  const { rawHeaders, httpVersion } = request;
  let bytes = 0;
  let hosts = 0;
  let types = 0;
  for (let at = 0; at < rawHeaders.length; at += 1) {
    const each = rawHeaders[at] ?? '';
    // Every name and every value takes two more bytes: ": " or the line end.
    bytes += each.length + 2;
    if (at % 2 !== 0) continue;
    if (each.length === 4 && each.toLowerCase() === 'host') hosts += 1;
    else if (each.length === 12 && each.toLowerCase() === 'content-type') types += 1;
  }
  if (bytes > httpLimits.headerBytes || rawHeaders.length > 2 * httpLimits.headers) return headersTooLarge();
  if (hosts > 1) return badHeader('Send one Host header.');
  if (types > 1) return badHeader('Send one Content-Type header.');
  if (hosts === 0 && httpVersion === '1.1') return badHeader('Send a Host header.');
  return bodyFault(request);
}

// Finds headers that a proxy and Node may read differently, and so disagree where the body ends.
function bodyFault({ headers }: IncomingMessage) {
  const framing = headers['transfer-encoding'];
  if (framing !== undefined && framing.toLowerCase() !== 'chunked') {
    return badHeader('Send Transfer-Encoding: chunked, or no Transfer-Encoding.');
  }
  const coding = headers['content-encoding'];
  if (coding === undefined || coding.toLowerCase() === 'identity') return undefined;
  // Some clients send a coding where they have no body.
  if (framing === undefined && Number(headers['content-length'] ?? 0) === 0) return undefined;
  return new KnowledgeError('unsupported_media_type', 'Send the body as it is, without Content-Encoding.');
}

function badHeader(message: string) {
  return new KnowledgeError('bad_request', message);
}

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
  else if (!latest.headersSent && !latest.req.complete && latest.socket === socket) refuse(error, socket, latest.req);
  else closeAfterResponse(latest, socket);
}

function refuse(error: ClientError, socket: Socket, request?: IncomingMessage) {
  sendFailureOnSocket(clientError(error), socket, request);
}

/** Closes a connection after its newest response is sent. `before` earlier ones may take their time first. */
export function closeAfterResponse(latest: ServerResponse, socket: Socket, before = 0): void {
  discardThenDestroy(socket, latest.writableFinished ? lingerMs : (before + 1) * httpLimits.responseMs + lingerMs);
  if (latest.writableFinished) socket.end();
  else if (latest.headersSent) latest.once('finish', () => socket.end());
  else latest.shouldKeepAlive = false;
}

const proxyProtocol =
  'The proxy in front sends the PROXY protocol, which this server does not read: turn it off there, and send the address of the client as X-Forwarded-For.';

function clientError({ code, rawPacket }: ClientError) {
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

/** How long a connection stays open after its last response, in milliseconds. The client needs this time to read it. */
const lingerMs = 1_000;

/** Writes a failure to a connection that has no response object, and closes the connection. `request` is known if its headers were read. */
export function sendFailureOnSocket(
  known: KnowledgeError,
  socket: Duplex,
  request?: IncomingMessage,
  more: Record<string, string> = {},
): void {
  const { http } = errorCatalogue[known.code];
  const body = failureBody(known);
  const headers = { ...headersOf(known, body, request ? requestIdOf(request) : newRequestId()), ...more };
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
function discardThenDestroy(socket: Duplex, ms: number) {
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
