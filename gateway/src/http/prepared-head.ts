import { type ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';
import { httpLimits } from '@knowledge/runtime/http';

/** Headers that many responses share. They are checked and joined once. */
export interface PreparedHeaders {
  /** Names and values in turn. */
  readonly list: readonly string[];
  readonly text: string;
}

/** Prepares names and values in turn. Throws for a header that HTTP does not allow. */
export function prepareHeaders(list: readonly string[]): PreparedHeaders {
  let text = '';
  for (let at = 0; at < list.length; at += 2) {
    const [name = '', value = ''] = list.slice(at, at + 2);
    validateHeaderName(name);
    validateHeaderValue(name, value);
    text += `${name}: ${value}\r\n`;
  }
  return { list, text };
}

/**
 * Does what `writeHead` does, for headers that are prepared. `own` has the names and values of this response, which are
 * not checked: they must be ids, ETags and numbers.
 */
export function writePreparedHead(
  response: ServerResponse,
  status: 200 | 304,
  own: readonly string[],
  shared: PreparedHeaders,
): void {
  if (response.shouldKeepAlive && !response.hasHeader('connection')) {
    let text: string = statusLine[status];
    for (let at = 0; at < own.length; at += 2) text += `${own[at]}: ${own[at + 1]}\r\n`;
    response.statusCode = status;
    // Node keeps the text of the head here until it is sent. To make it, `writeHead` takes 2 of the 16 µs of a response.
    (response as unknown as { _header: string })._header = `${text}${shared.text}${connectionHeaders()}\r\n`;
    // A Node that keeps it elsewhere would not notice it, so that `writeHead` is called.
    if (response.headersSent) return;
  }
  response.writeHead(status, [...own, ...shared.list]);
}

const statusLine = { 200: 'HTTP/1.1 200 OK\r\n', 304: 'HTTP/1.1 304 Not Modified\r\n' } as const;
const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(httpLimits.keepAliveMs / 1000)}\r\n`;

/** The headers that Node adds to a response on a connection that stays open. They change every second. */
function connectionHeaders(): string {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) {
    second = now;
    current = `Date: ${new Date(now * 1000).toUTCString()}\r\n${keepAlive}`;
  }
  return current;
}

let second = 0;
let current = '';
