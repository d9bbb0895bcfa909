import { createServer } from 'node:net';
import { join } from 'node:path';
import { readJsonFile, writeJsonFile } from '../files/json-file.js';
import { StartError } from '../processes/start-error.js';
import type { LocalConfig } from './config.js';

const names = [
  'gateway',
  'content',
  'quota',
  'identity',
  'contributions',
  'mongodb',
  'smtp',
  'mailbox',
  'desk',
] as const;
type PortName = (typeof names)[number];
export type Ports = Readonly<Record<PortName, number>>;

// Systems take the local ports of outgoing connections from higher ranges.
// So no connection can take the port of a service while it restarts.
const firstPort = 20_000;
const portCount = 12_000;

/** The port of the web desk where it is free, so that people know it by heart. */
const usualDeskPort = 8085;

/**
 * Chooses a port for every server: the configured one, that of the last start, or a free one.
 * Stores them in `DATA_DIR/ports.json`. @throws StartError with a configured port that is taken, and its variable
 */
export async function choosePorts(config: LocalConfig): Promise<Ports> {
  const path = join(config.dataDir, 'ports.json');
  const kept = (readJsonFile(path) ?? {}) as Partial<Record<string, unknown>>;
  const chosen: Partial<Record<PortName, number>> = {};
  for (const name of names) {
    const variable = name === 'gateway' ? 'PORT' : (`${name.toUpperCase() as Uppercase<typeof name>}_PORT` as const);
    const configured = config[variable];
    if (configured && !(await isPortFree(configured, name === 'gateway' ? config.HOST : undefined))) {
      throw new StartError(takenMessage(variable, configured));
    }
    const preferred = kept[name] ?? (name === 'desk' ? usualDeskPort : undefined);
    chosen[name] = configured || (await freePort(preferred, Object.values(chosen)));
  }
  writeJsonFile(path, chosen);
  return chosen as Ports;
}

/** Returns the kept port if a server can listen on it, else a free one. */
export async function freePort(kept?: unknown, used: readonly number[] = []): Promise<number> {
  let port = kept;
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (typeof port === 'number' && !used.includes(port) && (await isPortFree(port))) return port;
    port = firstPort + Math.floor(Math.random() * portCount);
  }
  throw new StartError(`No free port was found between ${firstPort} and ${firstPort + portCount}.`);
}

/** Keeps a port from another start until `release`. It resolves to undefined if the port is taken. */
export async function holdPort(port: number, host = '127.0.0.1'): Promise<(() => Promise<void>) | undefined> {
  return new Promise((resolve) => {
    const server = createServer().unref();
    server.once('error', () => resolve(undefined));
    const release = (): Promise<void> => new Promise((released) => server.close(() => released()));
    server.listen({ port, host, exclusive: true }, () => resolve(release));
  });
}

async function isPortFree(port: number, host?: string): Promise<boolean> {
  const release = await holdPort(port, host);
  await release?.();
  return release !== undefined;
}

function takenMessage(variable: string, port: number): string {
  return variable === 'PORT'
    ? `Port ${port} is taken by another program.\nChoose another one, PORT=${port + 1} npm start, or let a free one be picked, PORT=0 npm start.`
    : `Port ${port} (${variable}) is taken by another program. Choose another one, or leave ${variable} out.`;
}
