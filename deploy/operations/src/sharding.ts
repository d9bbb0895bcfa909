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

interface DatabaseSharding {
  /** Collections that are distributed by a hash of `_id`, because writes and single reads use `_id`. */
  readonly hashedId: readonly string[];
  /** Collections that stay on one shard: logs with one order, and small collections. */
  readonly whole: readonly string[];
}

/**
 * The shard key of each collection. Only `_id` is unique (site and slug, a hash, or a UUID). With its hash as the key,
 * one shard can check for duplicates.
 */
const shardingPlan: Readonly<Record<string, DatabaseSharding>> = {
  knowledge_content: {
    hashedId: ['articles', 'article_revisions', 'article_drafts', 'objects', 'read_counts', 'search_counts'],
    whole: ['highlights', 'synonyms', 'search_salts', 'changes', 'counts'],
  },
  knowledge_quota: {
    hashedId: ['counters', 'leases'],
    whole: ['subject_acts', 'used_up_days', 'ceilings'],
  },
  knowledge_identity: {
    hashedId: ['access_keys', 'authorizations', 'blocks', 'requesters', 'tokens'],
    whole: ['transitions', 'erasures', 'sign_in_codes', 'staff_members', 'staff_sessions'],
  },
  knowledge_contributions: {
    hashedId: ['authorizations', 'contributions', 'idempotency_slots', 'notes', 'people'],
    whole: ['transitions', 'prompts', 'sites', 'followers', 'presence', 'canned_reasons'],
  },
};

/** Lists the commands for the router in order. Each command may be repeated. */
export function shardingCommands(plan = shardingPlan): Record<string, unknown>[] {
  return Object.entries(plan).flatMap(([database, { hashedId }]) => [
    { enableSharding: database },
    ...hashedId.map((name) => ({ shardCollection: `${database}.${name}`, key: { _id: 'hashed' } })),
  ]);
}
