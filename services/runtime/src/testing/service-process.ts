import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Db, MongoClient } from 'mongodb';
import { type Closable, closeAll } from '../lifecycle/promises.js';
import { createLogger } from '../log/logger.js';
import { connectMongo, type Mongo, type MongoOptions } from '../mongodb/connect.js';
import { endOldTransactions } from '../mongodb/operation.js';

/** A built service that runs in its own process. */
export interface ServiceProcess {
  readonly address: string;
  /** The log lines that the process has written. */
  readonly output: readonly string[];
  /** Kills the process without warning, like a crash. */
  kill(): Promise<void>;
  /** Starts the process again at the same address. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** The variables of a service on a test database, which logs nothing and chooses its own port. */
export const quietEnvironment = (db: Db) => ({
  LOG_LEVEL: 'silent',
  GRPC_ADDRESS: '127.0.0.1:0',
  MONGODB_URI: process.env.MONGODB_TEST_URI,
  MONGODB_DATABASE: db.databaseName,
});

/**
 * Starts a built service on a test database. Resolves when it is ready.
 *
 * @throws Error if the service is not built.
 */
export async function startServiceProcess(
  name: string,
  database: string,
  env: Record<string, string> = {},
): Promise<ServiceProcess> {
  if (!existsSync(mainOf(name))) throw new Error(`The ${name} service is not built: run npm run build.`);
  const output: string[] = [];
  const shared = { MONGODB_URI: process.env.MONGODB_TEST_URI ?? '', MONGODB_DATABASE: database };
  let address = '127.0.0.1:0';
  let child: ChildProcess;
  const launch = async (): Promise<void> => {
    const full = { PATH: process.env.PATH, ...shared, GRPC_ADDRESS: address, LOG_LEVEL: 'info', ...env };
    child = spawn(process.execPath, [mainOf(name)], { env: full, stdio: ['ignore', 'pipe', 'inherit'] });
    const orphan = child;
    const killOrphan = () => void orphan.kill('SIGKILL');
    process.once('exit', killOrphan);
    child.once('exit', () => process.removeListener('exit', killOrphan));
    address = await readyAddress(child, name, output).catch((error: unknown) => {
      orphan.kill('SIGKILL');
      throw error;
    });
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  await launch();
  return {
    get address() {
      return address;
    },
    output,
    kill: () => end('SIGKILL'),
    restart: launch,
    close: () => end('SIGTERM'),
  };
}

/** Shorter than the time limit of a test hook, so that this error appears first. */
const readyMs = 45_000;

function mainOf(name: string): string {
  return fileURLToPath(new URL(`../../../${name}/bundle/main.js`, import.meta.url));
}

/** Reads the log until the service is ready. Later lines are read too, so that the pipe never fills. */
function readyAddress(child: ChildProcess, name: string, output: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const giveUp = setTimeout(() => {
      reject(new Error(`${name} was not ready within ${readyMs} ms; its last line: ${output.at(-1)}`));
    }, readyMs);
    const begin = (at: string): void => {
      clearTimeout(giveUp);
      resolve(at);
    };
    child.once('exit', (code) => {
      clearTimeout(giveUp);
      reject(new Error(`${name} ended with ${code} before it was ready.`));
    });
    if (child.stdout === null) return reject(new Error('no output'));
    let address = '';
    let ready = false;
    createInterface({ input: child.stdout }).on('line', (line) => {
      output.push(line);
      const { message, ...facts } = JSON.parse(line) as { message: string; address?: string; ready?: boolean };
      if (message === 'listening') address = facts.address ?? '';
      if (message === 'readiness') ready = facts.ready === true;
      if (ready && address !== '') begin(address);
    });
  });
}

/**
 * Opens several resources that are closed together. `open` adds each one to the list. If `open` throws, the resources
 * in the list are closed, so that a failed start leaves no process or database behind.
 */
export async function openAll<T extends object>(
  open: (opened: Closable[]) => Promise<T>,
): Promise<T & { close(): Promise<void> }> {
  const opened: Closable[] = [];
  try {
    return { ...(await open(opened)), close: () => closeAll(opened) };
  } catch (error) {
    await closeAll(opened).catch(() => undefined);
    throw error;
  }
}

/**
 * Opens a new database on the MongoDB server of the tests (`MONGODB_TEST_URI`, see test/harness), with the connection
 * options of production. `close` drops the database.
 */
export function openTestDatabase(name = 'test'): Mongo {
  const uri = testUri();
  const unique = `${name}_${process.pid}_${Date.now().toString(36)}_${Math.floor(Math.random() * 1e6).toString(36)}`;
  const mongo = connectMongo({ uri, database: unique, appName: name, log: createLogger({ name, level: 'silent' }) });
  return {
    ...mongo,
    close: async () => {
      await mongo.close();
      await dropDatabases([unique]);
    },
  };
}

/** Connects once more to a test database, with other options. */
export function connectAgain(db: Db, options: Partial<MongoOptions> = {}): Mongo {
  const log = createLogger({ name: 'test', level: 'silent' });
  return connectMongo({ uri: testUri(), database: db.databaseName, appName: 'test', log, ...options });
}

/** Drops databases. It waits as long as a busy server needs, unlike a connection with the options of production. */
export async function dropDatabases(names: readonly string[], uri = testUri()): Promise<void> {
  const client = new MongoClient(uri);
  // Transactions of killed processes would block this for a minute.
  const ending = setInterval(() => endOldTransactions(client, { type: 'idleSession' }).catch(() => undefined), 500);
  try {
    for (const name of names) await client.db(name).dropDatabase();
  } finally {
    clearInterval(ending);
    await client.close();
  }
}

function testUri(): string {
  const uri = process.env.MONGODB_TEST_URI;
  if (uri === undefined) throw new Error('MONGODB_TEST_URI is not set; run the tests with vitest from the root.');
  return uri;
}
