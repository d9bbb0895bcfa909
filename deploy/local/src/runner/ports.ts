import { once } from 'node:events';
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

const loopback = '127.0.0.1';

/** The port of the web desk where it is free, so that people know it by heart. */
const usualDeskPort = 8085;

/**
 * Chooses a port for every server: the configured one, that of the last start, or a free one.
 * Stores them in `DATA_DIR/ports.json`.
 *
 * @throws StartError for a configured port or host that cannot be used, with its variable, the reason and the remedy
 */
export async function choosePorts(config: LocalConfig): Promise<Ports> {
  const path = join(config.dataDir, 'ports.json');
  const kept = (readJsonFile(path) ?? {}) as Partial<Record<string, unknown>>;
  const chosen: Partial<Record<PortName, number>> = {};
  for (const name of names) {
    const variable = name === 'gateway' ? 'PORT' : (`${name.toUpperCase() as Uppercase<typeof name>}_PORT` as const);
    const host = name === 'gateway' ? config.HOST : loopback;
    const configured = config[variable] ?? 0;
    const fault = await faultOf(configured, host);
    if (fault !== undefined) throw new StartError(explain(fault, variable, configured, host));
    if (configured !== 0 && Object.values(chosen).includes(configured))
      throw new StartError(`Port ${configured} is given twice. ${chooseAnother(variable, configured + 1)}`);
    const preferred = kept[name] ?? (name === 'desk' ? usualDeskPort : undefined);
    chosen[name] = configured || (await freePort(preferred, Object.values(chosen), host));
  }
  writeJsonFile(path, chosen);
  return chosen as Ports;
}

/** Returns the kept port if a server can listen on it, else a free one. */
export async function freePort(kept?: unknown, used: readonly number[] = [], host = loopback): Promise<number> {
  let port = kept;
  for (let attempt = 0; attempt < 200; attempt += 1) {
    if (typeof port === 'number' && !used.includes(port) && (await faultOf(port, host)) === undefined) return port;
    port = firstPort + Math.floor(Math.random() * portCount);
  }
  throw new StartError(`No free port was found between ${firstPort} and ${firstPort + portCount}.`);
}

/** Keeps a port from another start until `release`. Rejects with the error of the system. */
export async function holdPort(port: number, host = loopback): Promise<() => Promise<void>> {
  const server = createServer().unref();
  await once(server.listen({ port, host, exclusive: true }), 'listening');
  return () => new Promise((released) => server.close(() => released()));
}

/** The code of the error with which nobody can listen here. */
async function faultOf(port: number, host: string): Promise<string | undefined> {
  try {
    await (await holdPort(port, host))();
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

function chooseAnother(variable: string, other: number): string {
  const free = variable === 'PORT' ? ', or let a free one be picked, PORT=0 npm start' : `, or leave ${variable} out`;
  return `Choose another one, ${variable}=${other} npm start${free}.`;
}

function explain(code: string, variable: string, port: number, host: string): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} (${variable}) is taken by another program.\n${chooseAnother(variable, port + 1)}`;
  if (code === 'EACCES')
    return `This user may not listen on port ${port} (${variable}): the system keeps ports below 1024 for the administrator.\n${chooseAnother(variable, port + 8000)}`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `HOST is ${host}, which is no address of this machine.\nLeave it out for this machine alone, or let others in by all addresses, HOST=:: npm start.`;
  return `Nobody can listen on ${host} and port ${port} (HOST, ${variable}): ${code}.`;
}
