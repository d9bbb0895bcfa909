import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { limits } from './protocol/limits.js';

/** What is wrong with the headers of a request before anything reads them. */
export type HeaderFault = 'too_large' | 'no_host' | 'two_hosts' | undefined;

/** Looks at the headers as they were sent: Node keeps the first of two `Host` headers in silence. */
export function headerFault({ headers, rawHeaders, httpVersion }: IncomingMessage): HeaderFault {
  let bytes = 0;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 1) {
    const each = rawHeaders[at] ?? '';
    // Each pair has ": " and a line end besides its own characters.
    bytes += each.length + 2;
    if (at % 2 === 0 && each.length === 4 && each.toLowerCase() === 'host') hosts += 1;
  }
  if (bytes > limits.headerBytes) return 'too_large';
  if (hosts > 1) return 'two_hosts';
  return headers.host === undefined && httpVersion === '1.1' ? 'no_host' : undefined;
}

/** The path of a request target, however it was written: in absolute form, or percent-encoded. */
export function pathOf(target: string): string {
  const [path = ''] = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Whether a target is of the API, whose failures are always in the envelope. */
export function isApiTarget(target: string): boolean {
  return /^\/api(?:\/|$)/.test(pathOf(target));
}

/** The address that limits count: what a trusted proxy forwarded if it is an address, else the other end of the connection. */
export function clientAddressOf(request: FastifyRequest): string {
  const forwarded = request.ip.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
  return isIP(forwarded) === 0 ? (request.raw.socket.remoteAddress ?? '0.0.0.0') : forwarded;
}
