import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonFile, writeJsonFile } from '../files/json-file.js';
import { findMongodBinary } from '../mongod/find.js';
import { describeMongod, mongodUri, readDataVersion } from '../mongod/program.js';
import { createDesk, type Desk } from './desk.js';
import { banner, createFleet, createTerminal, type Fleet, type Terminal } from './fleet.js';
import { lockDataDir } from './lock.js';
import { choosePorts, holdPort, type LocalConfig, type Ports, readLocalConfig } from './ports.js';
import { importSample } from './sample.js';
import {
  describeMailbox,
  describePrograms,
  deskUrl,
  grpcAddress,
  localUrl,
  reachableGateway,
  type ServiceName,
  serviceNames,
} from './services.js';

/** `DATA_DIR/run.json` (deploy/local/README.md): the addresses and pids of the running system. */
export interface RunFile {
  readonly gateway: string;
  readonly grpc: Readonly<Record<ServiceName, string>>;
  readonly mongodb: string;
  readonly mailbox: string | null;
  /** The web desk. */
  readonly desk: string;
  /** A link that signs an administrator in to it, once, within ten minutes. */
  readonly desk_sign_in: string;
  readonly pids: Readonly<Record<string, number>>;
}

/** What the runner tells the process in the terminal. Without the path of a run file it means that the runner stops. */
export interface RunnerMessage {
  readonly runFile?: string;
}

interface RunLocalOptions {
  readonly env: NodeJS.ProcessEnv;
  /** The root of the repository. */
  readonly root: string;
  readonly write: (text: string) => void;
  /** Ends everything in order when aborted, also during the start. */
  readonly stop: AbortSignal;
  /** Makes a stop in progress kill the services at once. mongod still ends cleanly. */
  readonly hurry: AbortSignal;
}

interface Start extends RunLocalOptions {
  readonly config: LocalConfig;
  readonly ports: Ports;
  readonly terminal: Terminal;
  readonly fleet: Fleet;
}

const databaseReadyWithinMs = 120_000;
const allReadyWithinMs = 90_000;

/** Runs all processes of the service until `stop`. Ends the gateway first and mongod last. @throws ConfigError, StartError */
export async function runLocal(options: RunLocalOptions): Promise<void> {
  const { env, root, write, stop, hurry } = options;
  const config = readLocalConfig(env, root);
  const runFile = join(config.dataDir, 'run.json');
  let announced: Omit<RunFile, 'pids'> | undefined;
  const terminal = createTerminal({
    write,
    all: config.LOG === 'all',
    settled: () => announced !== undefined && !stop.aborted,
  });
  const release = await lockDataDir(config.dataDir);
  const announce = () => {
    if (announced !== undefined) writeJsonFile(runFile, { ...announced, pids: fleet.pids() } satisfies RunFile);
  };
  const fleet = createFleet({ dataDir: config.dataDir, terminal, onChange: announce });
  try {
    process.send?.({ runFile } satisfies RunnerMessage);
    const start = { ...options, config, ports: await choosePorts(config), terminal, fleet };
    const addresses = await startPrograms(start);
    const { desk, close } = createDesk({ root, env, ports: start.ports, signal: stop });
    if (config.SAMPLE) await addSample(start, desk, addresses.mailbox);
    stop.throwIfAborted();
    announced = { ...addresses, desk_sign_in: await makeSignInLink(desk, addresses.desk) };
    close();
    stop.throwIfAborted();
    announce();
    terminal.block(banner({ ...announced, dataDir: config.dataDir, root, seconds: performance.now() / 1_000 }));
    await once(stop, 'abort');
  } finally {
    await fleet.stop(hurry);
    rmSync(runFile, { force: true });
    release();
  }
}

async function startPrograms(start: Start): Promise<Omit<RunFile, 'pids' | 'desk_sign_in'>> {
  const { config, ports, fleet, terminal, stop } = start;
  const mailbox = config.SMTP_URL === undefined ? localUrl(ports.mailbox) : null;
  if (mailbox !== null) fleet.start(describeMailbox(start));
  // The database takes long to start, and every start prefers this port.
  const releaseDesk = await holdPort(ports.desk).catch(() => undefined);
  const mongodb = config.MONGODB_URI ?? (await startMongod(start));
  if (config.MONGODB_URI !== undefined) terminal.say('mongodb', 'MONGODB_URI is used, none is started');
  const programs = describePrograms({ ...start, mongodbUri: mongodb, continuationKey: keptKey(config.dataDir) });
  await releaseDesk?.();
  for (const program of Object.values(programs)) fleet.start(program);
  terminal.say('start', `waiting for ${Object.keys(programs).join(', ')}`);
  await fleet.ready(allReadyWithinMs, stop);
  return {
    gateway: localUrl(ports.gateway),
    grpc: Object.fromEntries(serviceNames.map((name) => [name, grpcAddress(ports, name)])) as RunFile['grpc'],
    mongodb,
    mailbox,
    desk: deskUrl(ports),
  };
}

/** Makes the link of the banner. `knowledge desk sign-in` makes further ones. */
async function makeSignInLink(desk: Desk, url: string) {
  const made = (await desk(['desk', 'sign-in', '--url', url, '--actor', 'npm start', '--json'])) as { url: string };
  return made.url;
}

/** Finds a mongod and runs it. @returns its address */
async function startMongod({ config: { dataDir }, env, ports, terminal, fleet, stop }: Start) {
  const log = (line: string) => terminal.say('mongodb', line);
  const binary = await findMongodBinary({ env, log, signal: stop, dataVersion: readDataVersion(dataDir) });
  stop.throwIfAborted();
  fleet.start(describeMongod({ binary, dataDir, port: ports.mongodb, env, log }));
  await fleet.ready(databaseReadyWithinMs, stop);
  log(`${binary.version}, ${binary.source}`);
  return mongodUri(ports.mongodb);
}

async function addSample(start: Start, desk: Desk, mailbox: string | null) {
  const { config, root, terminal, stop } = start;
  const { dataDir } = config;
  const log = (line: string) => terminal.say('sample', line);
  const sampleDir = join(root, 'deploy', 'local', 'sample');
  // The humans of the sample do not exist, so their mails must not leave this machine.
  const agents = mailbox !== null && { agents: { gateway: reachableGateway(start), mailbox } };
  await importSample({ dataDir, sampleDir, desk, log, signal: stop, ...agents });
}

/** The secret key of a data directory. The first start makes it. */
export function keptKey(dataDir: string): string {
  const path = join(dataDir, 'key.json');
  const { key } = (readJsonFile(path) ?? {}) as { key?: unknown };
  if (typeof key === 'string' && key.length >= shortest) return key;
  const made = randomBytes(32).toString('hex');
  writeJsonFile(path, { key: made });
  return made;
}

const shortest = 32;
