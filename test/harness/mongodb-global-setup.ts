import { MongoClient, MongoServerError } from 'mongodb';

/** A mongod that tests may use, and the way to be rid of it. */
interface TestMongod {
  uri: string;
  stop(): Promise<void>;
}

const replicaSet = 'rs0';

/**
 * Gives the tests a replica set of one in `MONGODB_TEST_URI`: the one that is there already, else a container if a runtime
 * answers within 2 s, else a process of the binary that `npm start` would use (`@knowledge/local`, as it was last built).
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
  try {
    const { GenericContainer, getContainerRuntimeClient } = await import('testcontainers');
    await within(2000, getContainerRuntimeClient());
    const container = await new GenericContainer('mongo:6.0.5')
      .withCommand(['mongod', '--replSet', replicaSet, '--bind_ip_all', '--setParameter', 'ttlMonitorSleepSecs=1'])
      .withExposedPorts(27017)
      .withStartupTimeout(20_000)
      .start();
    const uri = `mongodb://${container.getHost()}:${container.getMappedPort(27017)}/?directConnection=true`;
    await initiate(uri, '127.0.0.1:27017');
    return { uri, stop: async () => void (await container.stop()) };
  } catch {
    return undefined;
  }
}

async function asProcess(): Promise<TestMongod> {
  const { findMongodBinary, startReplicaSet } = await import('@knowledge/local/mongod');
  const binary = await findMongodBinary({ env: process.env, log: () => undefined });
  const set = await startReplicaSet(1, { binary, replSet: replicaSet, parameters: { ttlMonitorSleepSecs: 1 } });
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
