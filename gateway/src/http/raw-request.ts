import type { IncomingMessage } from 'node:http';
import { KnowledgeError, type Logger, writeInfoLine } from '@knowledge/runtime';
import { headersTooLarge, httpLimits, pathOf } from '@knowledge/runtime/http';

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
  return new KnowledgeError('unsupported_media_type', 'Send the body as it is, without Content-Encoding.');
}

function badHeader(message: string) {
  return new KnowledgeError('bad_request', message);
}

/** Whether a request target is under /api. Failures there always have the envelope. */
export function isApiTarget(target: string): boolean {
  return /^\/api(?:\/|$)/.test(pathOf(target));
}

/** The facts about a request that are logged. The URL is not, because its query may contain a secret code. */
interface RequestFacts {
  id: string;
  trace: string;
  method: string;
  route: string;
  status: number;
  ms: number;
}

/** Writes the log line of a request. The id, the trace and the method have only characters that JSON can hold as they are. */
export function logRequest(log: Logger, { id, trace, method, route, status, ms }: RequestFacts): void {
  const name = `"request_id":"${id}","trace_id":"${trace}","method":"${method}"`;
  const took = Math.round(ms * 10) / 10;
  writeInfoLine(log, `${name},"route":${quoted(route)},"status":${status},"ms":${took}`, 'request');
}

/** Routes are few, so each is quoted once. */
function quoted(route: string) {
  let json = routes.get(route);
  if (json === undefined) {
    json = JSON.stringify(route);
    routes.set(route, json);
  }
  return json;
}

const routes = new Map<string, string>();
