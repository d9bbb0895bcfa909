import { remainingMs } from '@knowledge/runtime';
import { isDuplicateKey, withTransaction } from '@knowledge/runtime/mongodb';
import type { Db, MongoClient } from 'mongodb';
import type { ConsumeItem } from '../domain/consume-item.js';
import type { Counter } from '../domain/counter.js';
import { decide, type ItemResult } from '../domain/decision.js';
import type { Now, Policy } from '../domain/policy.js';
import { undecided } from '../domain/quota.js';
import type { RefusalCache } from '../domain/refusal-cache.js';
import { type CommandScope, findCounters, insertAll, replaceAll } from './counter-commands.js';
import { toDocument, untilAnswered } from './documents.js';
import type { NewSubjects } from './new-subjects.js';
import type { Commit } from './pipeline-commit.js';

interface TransactionCommitDependencies {
  client: MongoClient;
  db: Db;
  memory: RefusalCache;
  /** Learns the tallies of the counters. */
  newcomers?: NewSubjects | undefined;
  now: Now;
}

/**
 * Decides a batch of items in one transaction. It reads all counters, decides item by item and writes the changed ones.
 * If another write changes one of them, it starts again. So it is exact beside other processes and pipeline commits. It
 * returns results only after the commit.
 */
export function createTransactionCommit({ client, db, memory, newcomers, now }: TransactionCommitDependencies): Commit {
  return async (items, signal) => {
    const generation = memory.generation;
    const attempt = (): Promise<Result> =>
      withTransaction(client, (scope) => decideGroup(db, items, scope, now()), { signal });
    try {
      const { outcomes, policies, counters } = await untilAnswered(signal, () => untilUnique(attempt));
      for (const [key, counter] of counters) {
        const policy = policies.get(key);
        newcomers?.markStored(key, counter);
        if (policy !== undefined) memory.remember({ key, policy }, counter, now(), generation);
      }
      return outcomes;
    } catch (error) {
      return items.map(() => undecided(error));
    }
  };
}

interface Result {
  outcomes: ItemResult[];
  policies: ReadonlyMap<string, Policy>;
  counters: ReadonlyMap<string, Counter>;
}

async function decideGroup(db: Db, items: readonly ConsumeItem[], scope: CommandScope, now: number): Promise<Result> {
  const policies = new Map<string, Policy>();
  for (const { charges } of items) for (const { key, policy } of charges) policies.set(key, policy);
  const stored = await findCounters(db, [...policies.keys()], scope);

  const counters = new Map(stored);
  const changed = new Set<string>();
  const outcomes = items.map(({ charges, id, deadline }) => {
    // The caller has stopped waiting, so the item is not charged.
    if (remainingMs(deadline) === 0) return undecided();
    const decided = decide(charges, counters, id, now);
    for (const [key, counter] of decided.changed) {
      counters.set(key, counter);
      changed.add(key);
    }
    return decided.outcome;
  });

  const documents = [...changed].map((key) =>
    toDocument(key, policies.get(key) as Policy, counters.get(key) as Counter),
  );
  const isNew = ({ _id }: { _id: string }): boolean => !stored.has(_id);
  await insertAll(db, documents.filter(isNew), scope);
  await replaceAll(
    db,
    documents.filter((document) => !isNew(document)),
    scope,
  );
  return { outcomes, policies, counters };
}

/** Retries when two first uses of a key collide, since the server's error lacks the label for a retry. */
async function untilUnique<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}
