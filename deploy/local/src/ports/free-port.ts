import { createServer } from 'node:net';

const loopback = '127.0.0.1';
// Systems take the local ports of outgoing connections from higher ranges.
// So no connection can take the port of a service while it restarts.
const firstPort = 20_000;
const portCount = 12_000;

/** Whether a server could listen on the port now. */
export async function isPortFree(port: number, host: string = loopback): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** A port that no server listens on and that is not in `except`. */
export async function findFreePort(except: ReadonlySet<number> = new Set()): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = firstPort + Math.floor(Math.random() * portCount);
    if (!except.has(port) && (await isPortFree(port))) return port;
  }
  throw new Error(`No free port was found between ${firstPort} and ${firstPort + portCount}.`);
}
