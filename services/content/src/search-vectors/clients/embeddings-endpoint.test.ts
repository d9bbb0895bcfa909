import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbeddingsError } from '../domain/embedder.js';
import { createEmbeddingsEndpoint } from './embeddings-endpoint.js';

type Answer = (response: ServerResponse, request: IncomingMessage, body: string) => void;

let server: Server;
let answer: Answer;
const seen: { readonly url: string; readonly body: string; readonly authorization: string | undefined }[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      seen.push({ url: request.url ?? '', body, authorization: request.headers.authorization });
      answer(response, request, body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const urlOf = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/embeddings`;
const json =
  (value: unknown): Answer =>
  (response) =>
    void response.end(JSON.stringify(value));
const embeddings = (...vectors: unknown[]): Answer =>
  json({ object: 'list', data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })) });

function embed(texts: readonly string[], signal = new AbortController().signal) {
  return createEmbeddingsEndpoint({ url: urlOf(), model: 'm', key: 'secret' }).embed(texts, signal);
}
async function faultOf(given: Answer, texts = ['a']): Promise<string> {
  answer = given;
  return embed(texts).then(
    () => 'none',
    (error: EmbeddingsError) => error.fault,
  );
}

describe('the embeddings endpoint', () => {
  it('is asked as OpenAI is, and gives vectors of length 1 in the order of the texts', async () => {
    answer = json({
      data: [
        { index: 1, embedding: [0, 5] },
        { index: 0, embedding: [3, 4] },
      ],
    });
    const vectors = await embed(['first', 'second']);
    expect(vectors.map((vector) => [...vector].map((value) => value.toFixed(2)))).toEqual([
      ['0.60', '0.80'],
      ['0.00', '1.00'],
    ]);
    const { url, body, authorization } = seen.at(-1) ?? {};
    expect(url).toBe('/v1/embeddings');
    expect(JSON.parse(body ?? '')).toEqual({ model: 'm', input: ['first', 'second'], encoding_format: 'float' });
    expect(authorization).toBe('Bearer secret');
  });

  it.each<[string, Answer]>([
    ['no JSON', (response) => void response.end('<html>')],
    ['nothing', (response) => void response.end()],
    ['null', json(null)],
    ['a list', json([])],
    ['no vector', embeddings()],
    ['too many vectors', embeddings([1], [1])],
    ['no embedding', json({ data: [{}] })],
    ['null in place of an item', json({ data: [null] })],
    ['an index that is not asked', json({ data: [{ index: 7, embedding: [1] }] })],
    ['an index that is no number', json({ data: [{ index: '__proto__', embedding: [1] }] })],
    ['words', embeddings(['a', 'b'])],
    ['null in a vector', embeddings([1, null])],
    ['NaN', (response) => void response.end('{"data":[{"index":0,"embedding":[NaN]}]}')],
    ['infinite numbers', (response) => void response.end('{"data":[{"index":0,"embedding":[1e999]}]}')],
    ['numbers too large for 32 bits', embeddings([1e300, 1])],
    ['no direction', embeddings([0, 0, 0])],
    ['an empty vector', embeddings([])],
    ['too many dimensions', embeddings(Array.from({ length: 4097 }, () => 1))],
    ['base64', embeddings('AACAPw==')],
  ])('has a bad answer if it sends %s', async (_, given) => {
    expect(await faultOf(given)).toBe('bad_answer');
  });

  it('has a bad answer if vectors have different lengths, or one index twice', async () => {
    expect(await faultOf(embeddings([1, 2], [1]), ['a', 'b'])).toBe('bad_answer');
    const twice = { index: 0, embedding: [1] };
    expect(await faultOf(json({ data: [twice, twice] }), ['a', 'b'])).toBe('bad_answer');
  });

  it.each([400, 413, 422])('refuses the texts with status %d', async (status) => {
    expect(await faultOf((response) => void response.writeHead(status).end())).toBe('refused');
  });

  it.each([204, 301, 401, 404, 429, 500, 503])('does not work if it answers with status %d', async (status) => {
    expect(await faultOf((response) => void response.writeHead(status).end())).toBe('unreachable');
  });

  it('is not followed to another host', async () => {
    let visits = 0;
    const other = createServer((_, response) => {
      visits += 1;
      embeddings([1])(response, _, '');
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/v1/embeddings`;
    for (const status of [301, 302, 307, 308])
      expect(await faultOf((response) => void response.writeHead(status, { location }).end())).toBe('unreachable');
    expect(visits).toBe(0);
    other.close();
  });

  it('is left when its answer is longer than any good one', async () => {
    let sent = 0;
    const flood: Answer = (response) => {
      const chunk = Buffer.alloc(65_536, 32);
      const write = (): void => {
        while (sent < 200_000_000 && !response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', write);
        }
        response.end();
      };
      write();
    };
    expect(await faultOf(flood)).toBe('bad_answer');
    expect(sent).toBeLessThan(20_000_000);
  });

  it('is unreachable if it closes the connection, at once or in the middle of an answer', async () => {
    expect(await faultOf((response) => void response.destroy())).toBe('unreachable');
    const half: Answer = (response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.write('{"data":', () => response.destroy());
    };
    expect(await faultOf(half)).toBe('unreachable');
  });

  it.each<[string, Answer]>([
    ['an answer', () => undefined],
    ['the rest of an answer', (response) => void response.write('{')],
    ['the body of a refusal', (response) => void response.writeHead(500).write('{')],
  ])('is not waited for after the signal aborts before %s', async (_, given) => {
    answer = given;
    await expect(embed(['a'], AbortSignal.timeout(100))).rejects.toThrow(/timeout|status 500/);
  });

  it('never shows a text or the key in an error', async () => {
    answer = (response, _, body) => void response.writeHead(400).end(body);
    const error = await embed(['private words']).catch((each: Error) => each);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/private|secret/);
  });
});
