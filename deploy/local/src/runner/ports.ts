import { once } from 'node:events';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { choice, type Environment, flag, integer, readConfig, string, url } from '@knowledge/runtime';
import { readJsonFile, writeJsonFile } from '../files/json-file.js';
import { StartError } from '../processes/supervise.js';

/** The environment of a local start (deploy/local/README.md). */
export type LocalConfig = ReturnType<typeof readLocalConfig>;

/** @throws ConfigError that lists every invalid variable */
export function readLocalConfig(env: Environment, root: string) {
  const port = (of: string) => integer({ min: 1, max: 65_535, optional: true, description: `port of ${of}` });
  const config = readConfig(env, {
    PORT: integer({ min: 0, max: 65_535, default: 8080, description: 'of the gateway; 0 takes a free one' }),
    HOST: string({ default: '127.0.0.1', description: 'where the gateway listens' }),
    DATA_DIR: string({ optional: true, description: 'where data, mails and logs are kept' }),
    MONGODB_URI: url({ schemes: ['mongodb', 'mongodb+srv'], secret: true, optional: true }),
    SMTP_URL: url({ schemes: ['smtp', 'smtps'], secret: true, optional: true }),
    SAMPLE: flag({ default: true, description: 'sample content for an empty database' }),
    PUBLIC_URL_IO: url({ optional: true }),
    PUBLIC_URL_ORG: url({ optional: true }),
    LOG: choice(['all'], { optional: true }),
    CONTENT_PORT: port('content'),
    QUOTA_PORT: port('quota'),
    IDENTITY_PORT: port('identity'),
    CONTRIBUTIONS_PORT: port('contributions'),
    MONGODB_PORT: port('MongoDB'),
    SMTP_PORT: port("the mailbox's SMTP server"),
    MAILBOX_PORT: port("the mailbox's page"),
    DESK_PORT: port('the web desk; 8085 if it is free'),
  });
  // Brackets belong to a URL, and people copy them.
  const HOST = config.HOST.replace(/^\[(.*)\]$/, '$1');
  return { ...config, HOST, dataDir: config.DATA_DIR === undefined ? join(root, '.data') : resolve(config.DATA_DIR) };
}

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
async function faultOf(port: number, host: string) {
  try {
    await (await holdPort(port, host))();
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

function chooseAnother(variable: string, other: number) {
  const free = variable === 'PORT' ? ', or let a free one be picked, PORT=0 npm start' : `, or leave ${variable} out`;
  return `Choose another one, ${variable}=${other} npm start${free}.`;
}

function explain(code: string, variable: string, port: number, host: string) {
  if (code === 'EADDRINUSE')
    return `Port ${port} (${variable}) is taken by another program.\n${chooseAnother(variable, port + 1)}`;
  if (code === 'EACCES')
    return `This user may not listen on port ${port} (${variable}): the system keeps ports below 1024 for the administrator.\n${chooseAnother(variable, port + 8000)}`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `HOST is ${host}, which is no address of this machine.\nLeave it out for this machine alone, or let others in by all addresses, HOST=:: npm start.`;
  return `Nobody can listen on ${host} and port ${port} (HOST, ${variable}): ${code}.`;
}
