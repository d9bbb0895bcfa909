import { once } from 'node:events';
import { createServer } from 'node:net';

// Below the range that the system uses for outgoing connections. Each worker of a test run has a part of its own.
const first = 12_000;
const portsOfWorker = 4_500;
const workers = 4;

const worker = (Number(process.env['VITEST_POOL_ID'] ?? 1) - 1) % workers;
let offered = Math.floor(Math.random() * portsOfWorker);

/**
 * Finds a free port on loopback. No port is offered twice in a row, since the process that gets it listens only later.
 * Another test run on this machine begins at another port.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    offered = (offered + 1) % portsOfWorker;
    const port = first + worker * portsOfWorker + offered;
    const server = createServer();
    const listening = once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.listen(port, '127.0.0.1');
    if (!(await listening)) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
