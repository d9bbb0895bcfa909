import { remainingMs } from '@knowledge/runtime';
import { withTransaction } from '@knowledge/runtime/mongodb';
import type { Db, MongoClient } from 'mongodb';
import type { ConsumeItem } from '../domain/consume-item.js';
import { decide, type ItemResult } from '../domain/decision.js';
import type { Policy } from '../domain/policy.js';
import { undecided } from '../domain/quota.js';
import type { RefusalMemory } from '../domain/refusal-memory.js';
import type { Tally } from '../domain/tally.js';
import type { Now } from '../domain/window.js';
import type { Commit } from './single-commit.js';
import { type CommandScope, findTallies, insertAll, isDuplicate, replaceAll } from './tally-commands.js';
import { toDocument } from './tally-document.js';
import { untilAnswered } from './until-answered.js';

/** What a joint commit works with. */
export interface JointCommitDependencies {
  client: MongoClient;
  db: Db;
  memory: RefusalMemory;
  now: Now;
}

/**
 * Decides a group of items in one transaction: reads every tally, applies the rule of the domain item by item, writes what
 * changed. Whoever else changes one of them makes it start again, so it is exact beside other processes and beside single
 * commits; an outcome is given only when the transaction is committed.
 */
export function createJointCommit({ client, db, memory, now }: JointCommitDependencies): Commit {
  return async (items, signal) => {
    const generation = memory.generation;
    const attempt = (): Promise<Result> =>
      withTransaction(client, (scope) => decideGroup(db, items, scope, now()), { signal });
    try {
      const { outcomes, policies, tallies } = await untilAnswered(signal, () => untilUnique(attempt));
      for (const [key, tally] of tallies) {
        const policy = policies.get(key);
        if (policy !== undefined) memory.remember({ key, policy }, tally, now(), generation);
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
  tallies: ReadonlyMap<string, Tally>;
}

async function decideGroup(db: Db, items: readonly ConsumeItem[], scope: CommandScope, now: number): Promise<Result> {
  const policies = new Map<string, Policy>();
  for (const { charges } of items) for (const { key, policy } of charges) policies.set(key, policy);
  const stored = await findTallies(db, [...policies.keys()], scope);

  const tallies = new Map(stored);
  const changed = new Set<string>();
  const outcomes = items.map(({ charges, id, deadline }) => {
    // Nobody waits for it any more: what is not written is not charged.
    if (remainingMs(deadline) === 0) return undecided();
    const decided = decide(charges, tallies, id, now);
    for (const [key, tally] of decided.changed) {
      tallies.set(key, tally);
      changed.add(key);
    }
    return decided.outcome;
  });

  const documents = [...changed].map((key) => toDocument(key, policies.get(key) as Policy, tallies.get(key) as Tally));
  const isNew = ({ _id }: { _id: string }): boolean => !stored.has(_id);
  await insertAll(db, documents.filter(isNew), scope);
  await replaceAll(
    db,
    documents.filter((document) => !isNew(document)),
    scope,
  );
  return { outcomes, policies, tallies };
}

/** Two first uses of one key collide without the label that makes a transaction start again. */
async function untilUnique<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  }
}
