/** How the collections of a database are spread over shards. */
export interface DatabaseSharding {
  /** Spread by a hash of `_id`, by which every write and every look-up of one document asks. */
  readonly hashedId: readonly string[];
  /** Kept on the database's own shard: a log in one order, or a few documents. */
  readonly whole: readonly string[];
}

/**
 * The one plan for a sharded cluster. `_id` is what makes a document unique (site and slug, hash of a subject or token,
 * UUID) and no other index is unique, so that a hash of it keeps every uniqueness within one shard.
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

/** The commands for the router, in their order. Each is safe to repeat. */
export function shardingCommands(plan = shardingPlan): Record<string, unknown>[] {
  return Object.entries(plan).flatMap(([database, { hashedId }]) => [
    { enableSharding: database },
    ...hashedId.map((name) => ({ shardCollection: `${database}.${name}`, key: { _id: 'hashed' } })),
  ]);
}
