import { setTimeout as delay } from 'node:timers/promises';
import { type Document, MongoClient } from 'mongodb';

export interface ReplicaSetOptions {
  /** Port of the member that is spoken to. */
  readonly port: number;
  readonly replSet: string;
  /** `host:port` of every member, in order. */
  readonly hosts: readonly string[];
  /** The `settings` of the configuration, such as `electionTimeoutMillis`. */
  readonly settings?: Document;
  readonly signal: AbortSignal;
}

/**
 * Initiates the set if it is new, and returns when the member is a primary that takes writes or the set has
 * another primary.
 */
export async function ensureReplicaSet(options: ReplicaSetOptions): Promise<void> {
  await withDirectClient(options.port, async (client) => {
    for (;;) {
      options.signal.throwIfAborted();
      const hello = await client.db('admin').command({ hello: 1 });
      if (hello.isWritablePrimary === true) return;
      if (hello.setName !== undefined && hello.primary !== undefined) return;
      await initiateIfNew(client, options);
      await delay(20);
    }
  });
}

/** Runs `work` with a client that speaks to this one member whatever its state. */
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

async function initiateIfNew(client: MongoClient, { replSet, hosts, settings }: ReplicaSetOptions): Promise<void> {
  const kept = await client.db('local').collection('system.replset').findOne();
  if (kept !== null) return;
  const members = hosts.map((host, _id) => ({ _id, host }));
  const config = { _id: replSet, members, ...(settings === undefined ? {} : { settings }) };
  // A member that is still loading a configuration refuses; the caller's loop asks again.
  await client
    .db('admin')
    .command({ replSetInitiate: config })
    .catch(() => undefined);
}
