import type { IncomingMessage } from 'node:http';
import { httpLimits, pathOf } from '@knowledge/runtime/http';

/** A fault that makes the headers of a request unsafe to read. */
export type HeaderFault =
  | 'too_large'
  | 'no_host'
  | 'two_hosts'
  | 'two_types'
  | 'unknown_framing'
  | 'encoded'
  | undefined;

/** Checks the headers as the client sent them, because Node drops a second `Host` header without an error. */
export function headerFault(request: IncomingMessage): HeaderFault {
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
  if (bytes > httpLimits.headerBytes || rawHeaders.length > 2 * httpLimits.headers) return 'too_large';
  if (hosts > 1) return 'two_hosts';
  if (types > 1) return 'two_types';
  if (hosts === 0 && httpVersion === '1.1') return 'no_host';
  return bodyFault(request);
}

// Finds headers that a proxy and Node may read differently, and so disagree where the body ends.
function bodyFault({ headers }: IncomingMessage): HeaderFault {
  const framing = headers['transfer-encoding'];
  if (framing !== undefined && framing.toLowerCase() !== 'chunked') return 'unknown_framing';
  const coding = headers['content-encoding'];
  return coding === undefined || coding.toLowerCase() === 'identity' ? undefined : 'encoded';
}

/** Whether a request target is under /api. Failures there always have the envelope. */
export function isApiTarget(target: string): boolean {
  return /^\/api(?:\/|$)/.test(pathOf(target));
}
