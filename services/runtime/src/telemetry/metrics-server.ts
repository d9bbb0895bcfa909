import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { joinAddress, listenAt } from '../config/host-port.js';
import type { Metrics } from './metrics.js';

/** Serves the metrics of a process over HTTP. */
export interface MetricsServer {
  /** `http://host:port/metrics`, with the actual port. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves only `GET /metrics`, at `host:port`. Rejects if the address cannot be used. */
export async function serveMetrics(metrics: Metrics, address: string): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5000 }, (request, response) => {
    response.setHeader('x-content-type-options', 'nosniff');
    const [path] = (request.url ?? '').split('?');
    const refuse = (status: number, words: string, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(`${words}\n`);
    };
    if (path !== '/metrics') return refuse(404, 'The metrics are at /metrics.');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return refuse(405, 'Only GET and HEAD.', { allow: 'GET, HEAD' });
    }
    metrics.expose().then(
      ({ contentType, body }) => response.writeHead(200, { 'content-type': contentType }).end(body),
      () => refuse(500, 'The metrics cannot be read.'),
    );
  });
  // A few collectors need few connections. More could use up the file descriptors of the process.
  server.maxConnections = 100;
  await listenAt(address, (host, port) => listening(server, host, port));
  const { address: host, port } = server.address() as AddressInfo;
  return {
    url: `http://${joinAddress(host, port)}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
