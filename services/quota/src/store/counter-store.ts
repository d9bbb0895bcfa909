import { type Batcher, createBatcher } from '@knowledge/runtime';
import { pastOrphans } from '@knowledge/runtime/mongodb';
import type { Db, MongoClient } from 'mongodb';
import { type ConsumeItem, fitsCeiling } from '../domain/consume-item.js';
import type { ItemResult } from '../domain/decision.js';
import type { CounterStore } from '../domain/quota.js';
import type { RefusalCache } from '../domain/refusal-cache.js';
import type { Now } from '../domain/window.js';
import { createCeilingCommit } from './ceiling-commit.js';
import { emptyCounters, findCounters } from './counter-commands.js';
import { NewSubjects } from './new-subjects.js';
import { type Commit, createPipelineCommit } from './pipeline-commit.js';
import type { ServerClock } from './server-clock.js';
import { createTransactionCommit } from './transaction-commit.js';
import { untilAnswered } from './until-answered.js';

export interface CounterStoreDependencies {
  client: MongoClient;
  db: Db;
  memory: RefusalCache;
  now: Now;
  clock?: Pick<ServerClock, 'lastMoment'> | undefined;
}

/** A store that can be closed. */
export interface OpenCounterStore extends CounterStore {
  close(): void;
}

/** The largest number of items in one commit. The items of one call are always in the same commit. */
const maxItems = 1024;

/** Makes a store. Calls that arrive during a commit go into the next one. */
export function createCounterStore({ client, db, memory, now, clock }: CounterStoreDependencies): OpenCounterStore {
  const newcomers = new NewSubjects(now);
  const past =
    (commit: Commit): Commit =>
    (items, signal) =>
      pastOrphans(client, signal, () => commit(items, signal));
  const pipeline = createPipelineCommit({ db, memory, newcomers, now, clock });
  const single = grouped(past(pipeline), 2);
  // Only one commit runs at a time, since parallel transactions would conflict.
  const joint = grouped(createTransactionCommit({ client, db, memory, newcomers, now }), 1);
  const exact = (items: Call): Promise<readonly ItemResult[]> =>
    joint.add(items, { deadline: Math.max(...items.map(({ deadline }) => deadline)) });
  // Only one at a time, so that no two of them count on the same room of a reader.
  const capped = grouped(past(createCeilingCommit({ db, newcomers, now, clock, own: pipeline, exact })), 1);
  return {
    consumeByPipeline: (items, deadline) => single.add(items, { deadline }),
    // The items of a call stay together, so that they are decided in their order.
    consumeByTransaction: (items, deadline) => (items.every(fitsCeiling) ? capped : joint).add(items, { deadline }),
    read: (keys, signal) => untilAnswered(signal, () => findCounters(db, keys, { signal })),
    reset: (keys, signal) => untilAnswered(signal, () => emptyCounters(db, keys, signal)),
    close() {
      single.close();
      capped.close();
      joint.close();
    },
  };
}

type Call = readonly ConsumeItem[];

function grouped(commit: Commit, maxInFlight: number): Batcher<Call, readonly ItemResult[]> {
  return createBatcher<Call, readonly ItemResult[]>({
    send: async (calls, { signal }) => {
      if (calls.length === 1) return [await commit(calls[0] as Call, signal)];
      const outcomes = await commit(calls.flat(), signal);
      let from = 0;
      return calls.map(({ length }) => {
        from += length;
        return outcomes.slice(from - length, from);
      });
    },
    maxItems,
    weight: { max: maxItems, of: ({ length }) => length },
    maxInFlight,
  });
}
