import { setTimeout as delay } from 'node:timers/promises';
import { MongoClient } from 'mongodb';

export const replicaSetName = 'rs0';

/** Initiates the replica set if it is new, and waits until it accepts writes. */
export async function ensureReplicaSet(port: number, signal: AbortSignal): Promise<void> {
  await withDirectClient(port, async (client) => {
    for (;;) {
      signal.throwIfAborted();
      const hello = await client.db('admin').command({ hello: 1 });
      if (hello.isWritablePrimary === true) return;
      await initiateIfNew(client, port);
      await delay(20);
    }
  });
}

/** Runs `work` with a client that connects to this one member in any state. */
export async function withDirectClient<T>(port: number, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/`, {
    directConnection: true,
    readPreference: 'secondaryPreferred',
    serverSelectionTimeoutMS: 5_000,
    maxPoolSize: 1,
  });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

async function initiateIfNew(client: MongoClient, port: number): Promise<void> {
  const kept = await client.db('local').collection('system.replset').findOne();
  if (kept !== null) return;
  const config = { _id: replicaSetName, members: [{ _id: 0, host: `127.0.0.1:${port}` }] };
  // A member that is still loading its configuration refuses; the loop above tries again.
  await client
    .db('admin')
    .command({ replSetInitiate: config })
    .catch(() => undefined);
}
