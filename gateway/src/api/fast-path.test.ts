import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { httpLimits } from '@knowledge/runtime/http';
import { afterEach, expect, it } from 'vitest';
import { prepareHeaders, writePreparedHead } from './fast-path.js';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const own = ['x-request-id', 'a-1', 'etag', '"x"'];
const shared = ['cache-control', 'no-cache', 'vary', 'Accept-Encoding'];
const prepared = prepareHeaders(shared);

/** What the server sends until the client ends, with the time left out. */
async function sent(request: string, listener: RequestListener): Promise<string> {
  server = createServer({ keepAliveTimeout: httpLimits.keepAliveMs }, listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.end(request);
  let text = '';
  for await (const chunk of client.setEncoding('latin1')) text += chunk;
  server.close();
  return text.replace(/Date: \w{3}, [^\r]* GMT/g, 'Date: now');
}

const get = (...headers: string[]) =>
  `GET / HTTP/1.1\r\nHost: a\r\n${headers.map((each) => `${each}\r\n`).join('')}\r\n`;

it.each([
  ['on a connection that stays open', get(), []],
  ['to two requests that arrive at once', get() + get(), []],
  ['to a client that closes the connection', get('Connection: close'), []],
  ['to an old client', get().replace('1.1', '1.0'), []],
  ['on a connection that the server closes', get(), ['connection', 'close'] as const],
])('sends the bytes of writeHead %s', async (_name, request, [name, value]) => {
  const body = Buffer.from('{"ok":true}');
  const answerWith =
    (write: (response: Parameters<RequestListener>[1], own: string[], status: 200 | 304) => void): RequestListener =>
    (_request, response) => {
      if (name !== undefined && value !== undefined) response.setHeader(name, value);
      write(response, [...own, 'content-length', String(body.length)], 200);
      response.end(body);
    };
  const usual = await sent(
    request,
    answerWith((response, all, status) => response.writeHead(status, [...all, ...shared])),
  );
  const fast = await sent(
    request,
    answerWith((response, all, status) => writePreparedHead(response, status, all, prepared)),
  );
  expect(fast).toBe(usual);
  expect(fast).toContain('x-request-id: a-1\r\n');
});

it('sends a 304 without a body, and what follows it', async () => {
  const usual = await sent(get() + get(), (_request, response) => response.writeHead(304, [...own, ...shared]).end());
  const fast = await sent(get() + get(), (_request, response) => {
    writePreparedHead(response, 304, own, prepared);
    response.end();
  });
  expect(fast).toBe(usual);
  expect(fast.match(/304 Not Modified/g)).toHaveLength(2);
});

it('refuses to prepare what would end a header', () => {
  expect(() => prepareHeaders(['vary', 'a\r\nx: y'])).toThrow('Invalid character');
  expect(() => prepareHeaders(['va ry', 'a'])).toThrow('Header name');
});
