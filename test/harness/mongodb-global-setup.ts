import { hostname } from 'node:os';
import { MongoClient, MongoServerError } from 'mongodb';
import type { getContainerRuntimeClient, StartedTestContainer } from 'testcontainers';

/** A mongod that tests may use, and the way to be rid of it. */
interface TestMongod {
  uri: string;
  stop(): Promise<void>;
}

const replicaSet = 'rs0';

/**
 * Gives the tests a replica set of one in `MONGODB_TEST_URI`: the one that is there already, else a container if an engine
 * answers within 2 s, else a process of the binary that `npm start` would use (`@knowledge/local`, as it was last built).
 * One line says which.
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
  let container: StartedTestContainer | undefined;
  try {
    await removeLeftOver(engine);
    container = await new GenericContainer('mongo:6.0.5')
      .withCommand(['mongod', '--replSet', replicaSet, '--bind_ip_all', '--setParameter', 'ttlMonitorSleepSecs=1'])
      .withExposedPorts(27017)
      .withLabels({ [ownerLabel]: owner(process.pid) })
      .withStartupTimeout(20_000)
      .start();
    const started = container;
    const uri = `mongodb://${started.getHost()}:${started.getMappedPort(27017)}/?directConnection=true`;
    await initiate(uri, '127.0.0.1:27017');
    say(`mongo:6.0.5 in a container (${started.getId().slice(0, 12)})`);
    return { uri, stop: async () => void (await started.stop({ timeout: 0 })) };
  } catch (error) {
    const [why] = (error instanceof Error ? error.message : String(error)).split('\n');
    await container?.stop({ timeout: 0 });
    say(`the container engine answers, but gives no MongoDB (${why}); a local process instead`);
    return undefined;
  }
}

type Engine = Awaited<ReturnType<typeof getContainerRuntimeClient>>;

const ownerLabel = 'knowledge.test.owner';
const owner = (pid: number): string => `${hostname()}/${pid}`;

/** A run that was killed cannot remove its container: the next one does, and leaves those of runs that go on. */
async function removeLeftOver(engine: Engine): Promise<void> {
  const listed = await engine.container.dockerode.listContainers({ all: true, filters: { label: [ownerLabel] } });
  for (const { Id, Labels } of listed) {
    const pid = Number(Labels[ownerLabel]?.split('/').at(-1));
    if (Labels[ownerLabel] !== owner(pid) || isRunning(pid)) continue;
    await engine.container.dockerode.getContainer(Id).remove({ force: true, v: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function say(line: string): void {
  process.stderr.write(`MongoDB of the tests: ${line}\n`);
}

async function asProcess(): Promise<TestMongod> {
  const { findMongodBinary, startReplicaSet } = await import('@knowledge/local/mongod');
  const binary = await findMongodBinary({ env: process.env, log: () => undefined });
  const set = await startReplicaSet(1, { binary, replSet: replicaSet, parameters: { ttlMonitorSleepSecs: 1 } });
  say(`a local process of ${binary.path} (${binary.version})`);
  return { uri: set.uri, stop: () => set.stop() };
}

/** Makes a fresh server the primary of its own set, and waits until it takes writes. */
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
