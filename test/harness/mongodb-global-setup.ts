import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { MongoClient, MongoServerError } from 'mongodb';

/** A mongod for the tests, with the function that stops it. */
interface TestMongod {
  uri: string;
  stop(): Promise<void>;
}

const replicaSet = 'rs0';

/**
 * Sets `MONGODB_TEST_URI` to a replica set with one member, unless it is already set. It starts a container if an
 * engine responds within 2 s, otherwise the binary of `npm start`. It prints its
 * choice.
 */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.MONGODB_TEST_URI) return undefined;
  const mongod = (await inContainer()) ?? (await asProcess());
  process.env.MONGODB_TEST_URI = mongod.uri;
  return async () => {
    delete process.env.MONGODB_TEST_URI;
    await mongod.stop();
  };
}

async function inContainer(): Promise<TestMongod | undefined> {
  const { GenericContainer, getContainerRuntimeClient } = await import('testcontainers');
  const engine = await within(2000, getContainerRuntimeClient()).catch(() => undefined);
  if (engine === undefined) return undefined;
  const label = `knowledge.test.run=${randomUUID()}`;
  const remove = removeAtEnd(label);
  const [name = '', value = ''] = label.split('=');
  try {
    const container = await new GenericContainer('mongo:6.0.5')
      .withCommand(['mongod', '--replSet', replicaSet, '--bind_ip_all', '--setParameter', 'ttlMonitorSleepSecs=1'])
      .withExposedPorts(27017)
      .withLabels({ [name]: value })
      .withStartupTimeout(20_000)
      .start();
    const uri = `mongodb://${container.getHost()}:${container.getMappedPort(27017)}/?directConnection=true`;
    await initiate(uri, '127.0.0.1:27017');
    say(`mongo:6.0.5 in the container ${container.getId().slice(0, 12)}`);
    return { uri, stop: remove };
  } catch (error) {
    const [why] = (error instanceof Error ? error.message : String(error)).split('\n');
    await remove();
    say(`the container engine answers, but gives no MongoDB (${why}); a local process instead`);
    return undefined;
  }
}

/** Starts a process that removes the container when requested, or when this process ends for any reason. */
function removeAtEnd(label: string): () => Promise<void> {
  const program = `
    import { getContainerRuntimeClient } from 'testcontainers';
    for await (const _ of process.stdin);
    const { dockerode } = (await getContainerRuntimeClient()).container;
    const found = await dockerode.listContainers({ all: true, filters: { label: [${JSON.stringify(label)}] } });
    for (const { Id } of found) await dockerode.getContainer(Id).remove({ force: true, v: true });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    // A detached process does not receive Ctrl-C.
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  return async () => {
    child.stdin.end();
    await ended;
  };
}

function say(line: string): void {
  process.stderr.write(`MongoDB of the tests: ${line}\n`);
}

async function asProcess(): Promise<TestMongod> {
  const { findMongodBinary } = await import('@knowledge/local/mongod');
  const { startReplicaSet } = await import('./replica-set.js');
  const binary = await findMongodBinary({ env: process.env, log: () => undefined });
  const set = await startReplicaSet(1, { binary, parameters: { ttlMonitorSleepSecs: 1 } });
  say(`a local process of ${binary.path} (${binary.version})`);
  return { uri: set.uri, stop: () => set.stop() };
}

/** Makes a new server the primary of its own replica set. Waits until it accepts writes. */
async function initiate(uri: string, host: string): Promise<void> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 15_000 });
  try {
    const admin = client.db('admin');
    await admin
      .command({ replSetInitiate: { _id: replicaSet, members: [{ _id: 0, host }] } })
      .catch((error: unknown) => {
        if (!(error instanceof MongoServerError && error.codeName === 'AlreadyInitialized')) throw error;
      });
    const giveUp = Date.now() + 15_000;
    while (!(await admin.command({ hello: 1 })).isWritablePrimary) {
      if (Date.now() > giveUp) throw new Error('mongod did not become primary within 15 s.');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  } finally {
    await client.close();
  }
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${ms} ms.`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
