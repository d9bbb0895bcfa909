import { Batcher, type Closable, remainingMs } from '@knowledge/runtime';
import { isDuplicateKey, pastOrphans, withTransaction } from '@knowledge/runtime/mongodb';
import type { Db, MongoClient } from 'mongodb';
import type { ConsumeItem, LeaseTurn } from '../domain/consume-item.js';
import { type Counter, decide, type ItemResult, type RefusalCache } from '../domain/decision.js';
import type { Now, Policy } from '../domain/policy.js';
import { type CounterStore, undecided, unitsOf } from '../domain/quota.js';
import {
  type CommandScope,
  emptyCounters,
  findCounters,
  insertAll,
  type LastMoment,
  replaceAll,
  untilAnswered,
} from './counter-commands.js';
import { openTurns } from './lease-store.js';
import { NewSubjects } from './new-subjects.js';
import { createPipelineCommit } from './pipeline-commit.js';
import { type LeaseDocument, toDocument, toLease } from './schema.js';

interface CounterStoreParts {
  client: MongoClient;
  db: Db;
  memory: RefusalCache;
  now: Now;
  lastMoment?: LastMoment | undefined;
}

export type OpenCounterStore = CounterStore & Closable;

/** The largest number of items in one commit. The items of one call are always in the same commit. */
const maxItems = 1024;

/** Makes a store. Calls that arrive during a commit go into the next one. */
export function createCounterStore({ client, db, memory, now, lastMoment }: CounterStoreParts): OpenCounterStore {
  const newcomers = new NewSubjects(now);
  const past =
    (commit: LeasedCommit): LeasedCommit =>
    (items, signal, leases) =>
      pastOrphans(client, signal, () => commit(items, signal, leases));
  const open = (leases: readonly LeaseDocument[], signal: AbortSignal) => openTurns(db, leases, signal);
  const isOneLog = topologyOf(db);
  /** Lets the commit open the leases itself where that is safe, and opens them first elsewhere. */
  const leased =
    (commit: LeasedCommit): LeasedCommit =>
    async (items, signal, leases) => {
      if (leases.length === 0 || (await isOneLog(signal))) return commit(items, signal, leases);
      await open(leases, signal);
      return commit(items, signal, []);
    };
  const pipeline = createPipelineCommit({ db, memory, newcomers, now, lastMoment });
  const single = grouped(past(leased(pipeline)), 2);
  // Only one commit runs at a time, since parallel transactions would conflict.
  const byTransaction = createTransactionCommit({ client, db, memory, newcomers, now });
  const joint = grouped(async (items, signal, leases) => {
    await open(leases, signal);
    return byTransaction(items, signal);
  }, 1);
  return {
    consumeByPipeline: (items, deadline, turn) => single.add({ items, turn }, { deadline }),
    // The items of a call stay together, so that they are decided in their order.
    consumeByTransaction: (items, deadline, turn) => joint.add({ items, turn }, { deadline }),
    read: (keys, signal) => untilAnswered(signal, () => findCounters(db, keys, { signal })),
    reset: (keys, signal) => untilAnswered(signal, () => emptyCounters(db, keys, signal)),
    close() {
      single.close();
      joint.close();
    },
  };
}

interface Call {
  readonly items: readonly ConsumeItem[];
  /** The turn under which the items are counted. */
  readonly turn?: LeaseTurn | undefined;
}

/** Decides the items of several calls, and opens their leases first. */
type LeasedCommit = (
  items: readonly ConsumeItem[],
  signal: AbortSignal,
  leases: readonly LeaseDocument[],
) => Promise<readonly ItemResult[]>;

function grouped(commit: LeasedCommit, maxInFlight: number) {
  return new Batcher<Call, readonly ItemResult[]>({
    send: async (calls, { signal }) => {
      const now = Date.now();
      const leases = calls.flatMap(({ items, turn }) =>
        turn === undefined ? [] : [toLease(turn, unitsOf(items), now)],
      );
      const outcomes = await commit(
        calls.flatMap(({ items }) => items),
        signal,
        leases,
      );
      let from = 0;
      return calls.map(({ items: { length } }) => {
        from += length;
        return outcomes.slice(from - length, from);
      });
    },
    maxItems,
    weight: { max: maxItems, of: ({ items }) => items.length },
    maxInFlight,
  });
}

/**
 * Tells whether all writes are in one ordered log, as in a replica set. Then a lease survives if a later write of the same
 * command survives. The shards of a cluster have a log each.
 */
function topologyOf(db: Db): (signal: AbortSignal) => Promise<boolean> {
  let known: boolean | undefined;
  return async (signal) => {
    if (known !== undefined) return known;
    const { msg } = await untilAnswered(signal, () => db.command({ hello: 1 }, { signal }));
    known = msg !== 'isdbgrid';
    return known;
  };
}

interface TransactionCommitParts extends Omit<CounterStoreParts, 'lastMoment'> {
  /** Learns the tallies of the counters. */
  newcomers?: NewSubjects;
}

/**
 * Decides a batch of items in one transaction. It reads all counters, decides item by item and writes the changed ones.
 * If another write changes one of them, it starts again. So it is exact beside other processes and pipeline commits. It
 * returns results only after the commit.
 */
export function createTransactionCommit({ client, db, memory, newcomers, now }: TransactionCommitParts) {
  return async (items: readonly ConsumeItem[], signal: AbortSignal): Promise<ItemResult[]> => {
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
  const isNew = ({ _id }: { _id: string }) => !stored.has(_id);
  await insertAll(db, documents.filter(isNew), scope);
  await replaceAll(
    db,
    documents.filter((document) => !isNew(document)),
    scope,
  );
  return { outcomes, policies, counters };
}

/** Retries when two first uses of a key collide, since the server's error lacks the label for a retry. */
async function untilUnique<T>(attempt: () => Promise<T>) {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}
