export interface DatabaseSharding {
  /** Distributed by a hash of `_id`, because writes and single reads use `_id`. */
  readonly hashedId: readonly string[];
  /** Not distributed: a log with one order, or a few documents. */
  readonly whole: readonly string[];
}

/**
 * How each collection is sharded. Only `_id` is unique (site and slug, a hash, or a UUID), so hashing it keeps the check
 * for duplicates within one shard.
 */
const shardingPlan: Readonly<Record<string, DatabaseSharding>> = {
  knowledge_content: {
    hashedId: ['articles', 'article_revisions', 'objects'],
    whole: ['highlights', 'changes', 'counts', 'migrations'],
  },
  knowledge_quota: { hashedId: ['tallies', 'leases'], whole: ['subject_acts'] },
  knowledge_identity: {
    hashedId: ['access_keys', 'askers', 'authorizations', 'blocks', 'tokens'],
    whole: ['transitions'],
  },
  knowledge_contributions: {
    hashedId: ['authorizations', 'contributions', 'people', 'slots'],
    whole: ['transitions', 'prompts', 'sites', 'followers'],
  },
};

/** Lists the commands for the router, in order. Each is safe to repeat. */
export function shardingCommands(plan = shardingPlan): Record<string, unknown>[] {
  return Object.entries(plan).flatMap(([database, { hashedId }]) => [
    { enableSharding: database },
    ...hashedId.map((name) => ({ shardCollection: `${database}.${name}`, key: { _id: 'hashed' } })),
  ]);
}
