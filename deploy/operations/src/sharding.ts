import type { MongoClient } from 'mongodb';

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

/**
 * The collections that are distributed by a hash of `_id`, by which they are written and read. Only `_id` is unique (site and slug,
 * a hash, or a UUID), so one shard can check for duplicates. All others stay on one shard: logs with one order, and small ones.
 */
const distributed = {
  knowledge_content: ['articles', 'article_revisions', 'article_drafts', 'objects', 'read_counts', 'search_counts'],
  knowledge_quota: ['counters'],
  knowledge_identity: ['access_keys', 'authorizations', 'blocks', 'requesters', 'tokens'],
  knowledge_contributions: ['authorizations', 'contributions', 'idempotency_slots', 'notes', 'people'],
};

/** Lists the commands for the router in order. Each command may be repeated. */
export function shardingCommands(): Record<string, unknown>[] {
  return Object.entries(distributed).flatMap(([database, names]) => [
    { enableSharding: database },
    ...names.map((name) => ({ shardCollection: `${database}.${name}`, key: { _id: 'hashed' } })),
  ]);
}
