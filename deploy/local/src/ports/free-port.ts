import { createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';
// Below the ranges from which systems take the local ports of outgoing connections,
// so that nobody takes the port of a service in the moment of its restart.
const FIRST = 20_000;
const COUNT = 12_000;

/** Whether one can listen on the port now. */
export async function isPortFree(port: number, host: string = LOOPBACK): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** A port on which nobody listens and which is not in `except`. */
export async function findFreePort(except: ReadonlySet<number> = new Set()): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    if (!except.has(port) && (await isPortFree(port))) return port;
  }
  throw new Error(`No free port was found between ${FIRST} and ${FIRST + COUNT}.`);
}
