import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An embeddings endpoint without a model, so that the panels of search by meaning have data. */
export interface Embeddings {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts it on loopback. The vector of a text is the number of its letters of some kinds. */
export async function startEmbeddings(): Promise<Embeddings> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: readonly string[] };
      const data = input.map((text, index) => ({
        index,
        embedding: [...'aeio'].map((each) => text.split(each).length),
      }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/embeddings`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
