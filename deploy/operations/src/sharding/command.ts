import type { MongoClient } from 'mongodb';
import { shardingCommands } from './shard-keys.js';

/**
 * Distributes the collections over the shards of a cluster. The collections may have data, and the services may run.
 *
 * @throws Error if the server is not a router of a sharded cluster.
 */
export async function shardCollections(client: MongoClient, say: (line: string) => void): Promise<void> {
  const admin = client.db('admin');
  const { msg } = await admin.command({ hello: 1 });
  if (msg !== 'isdbgrid') throw new Error('MONGODB_URI leads to no mongos: a replica set has no shards');
  for (const command of shardingCommands()) {
    await admin.command(command);
    say(JSON.stringify(command));
  }
}
