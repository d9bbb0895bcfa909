import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../harness/free-port.js';
import { startLoneGateway } from '../harness/lone-gateway.js';
import { openRaw, type RawConnection } from '../harness/raw-connection.js';
import { sendRaw } from '../harness/raw-http.js';
import { until } from '../harness/until.js';

const maxConnections = 100;
/** The number of repetitions of each test with a disconnecting client. */
const rounds = Number(process.env['HOSTILE_ROUNDS'] ?? 10);
const management = `127.0.0.1:${await freePort()}`;
const gateway = await startLoneGateway({
  METRICS_ADDRESS: management,
  MAX_CONNECTIONS: String(maxConnections),
  CONNECTIONS_PER_ADDRESS: String(maxConnections),
});
const { pid } = gateway.process;
const quiet = descriptors();
const slow = {
  body: await openRaw(gateway.url),
  headers: await openRaw(gateway.url),
  half: await openRaw(gateway.url),
};
const opened: RawConnection[] = [];

beforeAll(() => {
  slow.body.write(mcpPing.slice(0, -1));
  setTimeout(() => slow.body.write(mcpPing.slice(-1)), 4_000);
  slow.headers.write('GET /healthz HTTP/1.1\r\nHost: a\r\nX: ');
  slow.half.write(mcpPing.slice(0, -1).replace('\r\n', '\r\nX-Request-Id: mine\r\n'));
});

// After each test the same process must respond at once and have closed the client's connection.
afterEach(async ({ task }) => {
  if (task.suite?.name === 'a stop') return;
  const begun = performance.now();
  expect((await sendRaw(gateway.url, 'GET /healthz HTTP/1.0\r\n\r\n', 3_000)).status).toBe(200);
  expect(performance.now() - begun).toBeLessThan(1_000);
  await until('every connection to be gone', () => connections() <= stillOpen(), 15_000);
  await until('every descriptor to be given back', () => descriptors() <= quiet + stillOpen(), 5_000);
  for (const each of opened.splice(0)) each.socket.destroy();
  expect(gateway.process.pid).toBe(pid);
  process.kill(pid, 0);
});

afterAll(async () => {
  const output = gateway.process.output();
  await gateway.process.close();
  expect(output).not.toMatch(/"level":"(error|fatal)"|nobody/);
});

function stillOpen(): number {
  return Object.values(slow).filter((each) => !each.over() && !each.socket.destroyed).length;
}

// Counts the connections of the gateway that some process still has open.
function connections(): number {
  const port = Number(new URL(gateway.url).port).toString(16).toUpperCase().padStart(4, '0');
  const rows = readFileSync(`/proc/${pid}/net/tcp`, 'utf8').trim().split('\n').slice(1);
  return rows.filter((row) => {
    const [, local = '', , state, , , , , , inode] = row.trim().split(/\s+/);
    return local.endsWith(`:${port}`) && state !== listening && inode !== '0';
  }).length;
}

const listening = '0A';

function descriptors(): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

async function open(bytes: string | Buffer = ''): Promise<RawConnection> {
  const connection = await openRaw(gateway.url);
  opened.push(connection);
  if (bytes.length > 0) connection.write(bytes);
  return connection;
}

const head = (line: string, ...headers: string[]): string => `${[line, 'Host: a', ...headers].join('\r\n')}\r\n\r\n`;
const post = (...headers: string[]): string => head('POST /mcp HTTP/1.1', 'Content-Type: application/json', ...headers);
const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
const mcpPing = `${post('Accept: application/json, text/event-stream', `Content-Length: ${ping.length}`)}${ping}`;

/** Checks that the client got one response in the envelope and then the end. */
async function expectRefusal(connection: RawConnection, status: number, error: string): Promise<void> {
  await connection.ended();
  const [front = '', body = ''] = connection.text().split('\r\n\r\n');
  expect(connection.statuses()).toEqual([status]);
  expect(JSON.parse(body)).toEqual({ ok: false, error, message: expect.any(String) });
  expect(front.toLowerCase()).toContain('x-content-type-options: nosniff');
  expect(front.toLowerCase()).toContain('x-request-id: ');
}

describe('connections that leave HTTP/1.1', () => {
  test('a CONNECT and then a reset, repeated many times', async () => {
    for (let at = 0; at < 5 * rounds; at += 1) await (await open(head('CONNECT a:80 HTTP/1.1'))).reset();
  });

  // Each of these clients keeps its connection open. So the test waits for all of them together.
  test('clients that stay connected after CONNECT, a byte stream, HTTP/2, TLS or 100 kB of headers', async () => {
    const connects = Array.from({ length: 20 }, () => open(head('CONNECT a:80 HTTP/1.1')));
    const stream = open(head('CONNECT a:80 HTTP/1.1') + 'x'.repeat(100_000));
    const large = open(head('GET /healthz HTTP/1.1', `X: ${'x'.repeat(100_000)}`));
    const others = [
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      Buffer.from('160301020001', 'hex'),
      Buffer.from('802e0100020015000000100100800200800300800400', 'hex'),
      `${post('Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\nX: ${'y'.repeat(200_000)}\r\n\r\n`,
    ].map((bytes) => open(bytes));
    for (const each of await Promise.all([...connects, stream])) await expectRefusal(each, 405, 'method_not_allowed');
    await expectRefusal(await large, 431, 'headers_too_large');
    for (const each of await Promise.all(others)) await each.ended();
  });

  test.each(['websocket', 'h2c'])(
    'an upgrade to %s is ignored, and the request gets its response',
    async (protocol) => {
      const connection = await open(head('GET /healthz HTTP/1.1', `Upgrade: ${protocol}`, 'Connection: Upgrade'));
      await until('an answer', () => connection.statuses().length > 0, 2_000);
      expect(connection.statuses()).toEqual([200]);
      await connection.reset();
    },
  );
});

describe('malformed requests', () => {
  test.each([
    ['no request', 'hello there\r\n\r\n'],
    ['an unknown method', 'EAT / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a method in small letters', 'get / HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['no target', 'GET  HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['HTTP/9.9', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n'],
    ['a NUL in the target', 'GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n'],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: a\r\n: a\r\n\r\n'],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost : a\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: a\r\nnothing\r\n\r\n'],
    ['a bare CR', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\rY: b\r\n\r\n'],
    ['a length and chunks', `${post('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`],
    ['two lengths', `${post('Content-Length: 1', 'Content-Length: 2')}ab`],
    ['a negative length', `${post('Content-Length: -1')}a`],
    ['a length with a sign', `${post('Content-Length: +1')}a`],
    ['a length that overflows', `${post('Content-Length: 99999999999999999999')}a`],
    ['an unknown transfer coding', `${post('Transfer-Encoding: xchunked')}5\r\nhello\r\n0\r\n\r\n`],
    ['chunks that are not last', `${post('Transfer-Encoding: chunked, gzip')}5\r\nhello\r\n0\r\n\r\n`],
    ['a coding before the chunks', `${post('Transfer-Encoding: gzip, chunked')}5\r\nhello\r\n0\r\n\r\n`],
    ['chunks twice', `${post('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked')}0\r\n\r\n`],
    ['a broken chunk', `${post('Transfer-Encoding: chunked')}zz\r\nhello\r\n0\r\n\r\n`],
    ['a chunk longer than it says', `${post('Transfer-Encoding: chunked')}1\r\nhello\r\n0\r\n\r\n`],
    ['a huge chunk extension', `${post('Transfer-Encoding: chunked')}1;${'x'.repeat(20_000)}\r\na\r\n0\r\n\r\n`],
  ])('%s: one 400', async (_name, bytes) => {
    const connection = await open(bytes);
    await until('an answer', () => connection.statuses().length > 0, 3_000);
    connection.socket.end();
    await expectRefusal(connection, 400, 'bad_request');
  });

  // After ten seconds the gateway gives up a client that does not close its end. These three wait together.
  test('another encoding, type or host of the body: one refusal', async () => {
    const refusals = [
      ['Content-Encoding: gzip', 415, 'unsupported_media_type'],
      ['Content-Type: application/json', 400, 'bad_request'],
      ['Host: b', 400, 'bad_request'],
    ] as const;
    await Promise.all(
      refusals.map(async ([header, status, error]) => {
        const connection = await open(`${post(header, 'Connection: close', `Content-Length: ${ping.length}`)}${ping}`);
        await expectRefusal(connection, status, error);
      }),
    );
  });

  test.each(['/%ff%fe', '/%zz', '/api/v1/content/%ff', '/articles/%c3%28?site=org'])(
    'a path that cannot be decoded, %s',
    async (path) => {
      const connection = await open(head(`GET ${path} HTTP/1.1`, 'Accept: application/json', 'Connection: close'));
      await expectRefusal(connection, 400, 'bad_request');
    },
  );

  test.each([
    ['2,500', 2_500, 'a: b'],
    ['1,001', 1_001, 'a:b'],
  ])('after %s short headers, a credential is still read', async (_name, count, line) => {
    const fields = Array.from({ length: count }, () => line);
    const connection = await open(
      head('GET /healthz HTTP/1.1', ...fields, 'Authorization: Bearer x', 'Connection: close'),
    );
    await expectRefusal(connection, 431, 'headers_too_large');
  });

  test.each([
    'GET *',
    'OPTIONS *',
    'HEAD *',
    'GET http:///healthz',
    'GET ftp://a/healthz',
    'GET http://me@a/healthz',
    'GET a:80',
    'GET ?q=a',
    'GET ',
  ])('a target that is no path is refused: %s', async (line) => {
    const connection = await open(head(`${line} HTTP/1.1`, 'Connection: close'));
    if (!line.startsWith('HEAD')) return expectRefusal(connection, 400, 'bad_request');
    await connection.ended();
    expect(connection.statuses()).toEqual([400]);
  });

  test('an unknown Expect header is refused', async () => {
    await expectRefusal(await open(head('GET /healthz HTTP/1.1', 'Expect: more')), 400, 'bad_request');
  });
});

describe('pipelined requests', () => {
  test('invalid bytes after a request: the response comes first, then one refusal or the end', async () => {
    const connection = await open(`${head('GET /healthz HTTP/1.1')}junk\r\n\r\n`);
    await connection.ended();
    expect([[200], [200, 400]]).toContainEqual(connection.statuses());
  });

  test.each([
    ['invalid bytes', 'junk\r\n\r\n'],
    ['CONNECT', head('CONNECT a:80 HTTP/1.1')],
  ])('%s after a slow request: the response comes first, then the end', async (_name, bytes) => {
    const connection = await open(head('GET /readyz HTTP/1.1') + bytes);
    await connection.ended();
    expect(connection.statuses()).toEqual([503]);
  });

  test('a broken body after a slow request: the response of the slow request comes first', async () => {
    const connection = await open(`${head('GET /readyz HTTP/1.1')}${post('Transfer-Encoding: chunked')}zz\r\n`);
    await connection.ended(6_000);
    expect(connection.statuses().slice(0, 1)).toEqual([503]);
  });

  test('hundreds of requests from a client that reads nothing do no harm', async () => {
    const connection = await open();
    connection.socket.pause();
    connection.write(head('GET /api/v1/capabilities HTTP/1.1').repeat(300));
    await until('the gateway to be busy', () => connection.socket.bytesWritten > 10_000, 2_000);
    await connection.reset();
  });

  test('a hundred requests get 33 responses, and the last one closes the connection', async () => {
    const connection = await open(head('GET /api/v1/capabilities HTTP/1.1').repeat(100));
    await connection.ended();
    expect(connection.statuses()).toEqual(Array.from({ length: 33 }, () => 200));
    expect(connection.text().match(/^connection: close/gim)).toHaveLength(1);
  });

  test('thousands of requests close the connection', async () => {
    await (await open(head('GET /api/v1/capabilities HTTP/1.1').repeat(2_000))).ended();
  });

  test('a request that arrives one byte at a time gets its response', async () => {
    const connection = await open();
    for (const byte of head('GET /healthz HTTP/1.1', 'Connection: close')) {
      connection.write(byte);
      await new Promise(setImmediate);
    }
    await connection.ended();
    expect(connection.statuses()).toEqual([200]);
  });
});

describe('clients that disconnect', () => {
  test.each([
    ['at once', ''],
    ['within the request line', 'GET /hea'],
    ['within the headers', 'GET /healthz HTTP/1.1\r\nHo'],
    ['after the headers', head('GET /readyz HTTP/1.1')],
    ['before the body', post('Content-Length: 10')],
    ['within the body', `${post('Content-Length: 10')}{"a"`],
    ['within a chunk', `${post('Transfer-Encoding: chunked')}a\r\n{"a"`],
    ['after the request', mcpPing],
    ['after many requests', mcpPing.repeat(5)],
    ['on a page that counts addresses', head('GET /articles HTTP/1.1')],
    ['on a read that counts addresses', head('GET /api/v1/content/any HTTP/1.1')],
  ])('a connection reset %s', async (_name, bytes) => {
    for (let at = 0; at < rounds; at += 1) await (await open(bytes)).reset();
    const all = await Promise.all(Array.from({ length: 10 }, () => open(bytes)));
    for (const each of all) each.socket.destroy();
  });

  test.each([
    ['a read', head('GET /api/v1/capabilities HTTP/1.1'), [200]],
    ['a coding without a body', head('GET /api/v1/capabilities HTTP/1.1', 'Content-Encoding: gzip'), [200]],
    ['a request with a body', mcpPing, [200]],
    ['a slow request', head('GET /readyz HTTP/1.1'), [503]],
    ['three requests', head('GET /api/v1/capabilities HTTP/1.1').repeat(3), [200, 200, 200]],
  ])('a client that ends only its sending side after %s gets its answer', async (_name, bytes, statuses) => {
    const connection = await open();
    connection.socket.end(bytes);
    await connection.ended();
    expect(connection.statuses()).toEqual(statuses);
  });

  test('a client that ends its side during a request', async () => {
    const connection = await open('GET /healthz HTTP/1.1\r\nHo');
    connection.socket.end();
    await connection.ended();
  });
});

test('slow clients: a body that takes 4 s gets a response, headers of 8 s and a body of 10 s get 408', async () => {
  await until('the answer to the slow body', () => slow.body.statuses().length === 1, 10_000);
  expect(slow.body.statuses()).toEqual([200]);
  slow.body.socket.destroy();
  await slow.headers.ended(10_000);
  await slow.half.ended(15_000);
  await expectRefusal(slow.headers, 408, 'request_timeout');
  await expectRefusal(slow.half, 408, 'request_timeout');
  expect(slow.half.text()).toContain('x-request-id: mine\r\n');
});

describe('many connections', () => {
  test('connections over the limit get one 503, and the others stay', async () => {
    const idle = await Promise.all(Array.from({ length: maxConnections }, () => open()));
    for (let at = 0; at < 20; at += 1) {
      const late = await open(head('GET /api/v1/capabilities HTTP/1.1'));
      await expectRefusal(late, 503, 'unavailable');
      expect(late.text().toLowerCase()).toMatch(/retry-after: \d/);
    }
    const probe = await fetch(`http://${management}/healthz`);
    expect([probe.status, await probe.json()]).toEqual([200, { ok: true }]);
    // This gateway has no services, so it is not ready.
    const ready = await (await fetch(`http://${management}/readyz`)).json();
    expect(ready).toMatchObject({ error: 'unavailable', services: { quota: 'down' } });
    const [first] = idle;
    first?.write(head('GET /healthz HTTP/1.1'));
    await until('an answer', () => first?.statuses().at(0) === 200, 2_000);
    for (const each of idle) each.socket.destroy();
    await until('room', async () => (await sendRaw(gateway.url, head('GET /healthz HTTP/1.1'))).status === 200, 2_000);
  });

  test('idle connections make room for new ones', async () => {
    const kept = await Promise.all(Array.from({ length: maxConnections }, () => open(head('GET /healthz HTTP/1.1'))));
    await until('all answers', () => kept.every((each) => each.statuses().length === 1), 5_000);
    const late = await open();
    await expectRefusal(late, 503, 'unavailable');
    expect((await sendRaw(gateway.url, head('GET /healthz HTTP/1.1'))).status).toBe(200);
  });
});

describe('a stop', () => {
  test('responds to the running requests before it ends, on keep-alive connections too', async () => {
    const kept = await open(head('GET /healthz HTTP/1.1'));
    await until('the first answer', () => kept.statuses().length === 1, 2_000);
    kept.write(`${mcpPing.slice(0, -5)}`);
    const fresh = await open();
    await new Promise((resolve) => setTimeout(resolve, 100));
    process.kill(pid, 'SIGTERM');
    await until('the stop to begin', () => gateway.process.output().includes('"stopping"'), 2_000);
    await fresh.ended(1_000);
    kept.write(mcpPing.slice(-5));
    await kept.ended(1_000);
    expect(kept.statuses()).toEqual([200, 200]);
    expect(kept.text().toLowerCase()).toContain('connection: close');
    const answered = performance.now();
    expect(await gateway.process.exited()).toBe(0);
    expect(performance.now() - answered).toBeLessThan(3_000);
  });
});
