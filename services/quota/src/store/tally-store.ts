import { type Batcher, createBatcher } from '@knowledge/runtime';
import type { Db, MongoClient } from 'mongodb';
import type { ConsumeItem } from '../domain/consume-item.js';
import type { ItemResult } from '../domain/decision.js';
import type { TallyStore } from '../domain/quota.js';
import type { RefusalMemory } from '../domain/refusal-memory.js';
import type { Now } from '../domain/window.js';
import { createJointCommit } from './joint-commit.js';
import { Newcomers } from './newcomers.js';
import type { ServerClock } from './server-clock.js';
import { type Commit, createSingleCommit } from './single-commit.js';
import { emptyEach, findTallies } from './tally-commands.js';
import { untilAnswered } from './until-answered.js';

/** What the store works with. */
export interface TallyStoreDependencies {
  client: MongoClient;
  db: Db;
  memory: RefusalMemory;
  now: Now;
  clock?: Pick<ServerClock, 'lastMoment'> | undefined;
}

/** The store, and the way to stop what waits in it. */
export interface OpenTallyStore extends TallyStore {
  close(): void;
}

/** The most items of one commit; the items of one call stay together. */
const maxItems = 1024;

/** Calls that arrive while a commit is on its way travel together in the next one. */
export function createTallyStore({ client, db, memory, now, clock }: TallyStoreDependencies): OpenTallyStore {
  const newcomers = new Newcomers(now);
  const single = grouped(createSingleCommit({ db, memory, newcomers, now, clock }), 2);
  // One at a time, or they would conflict with each other.
  const joint = grouped(createJointCommit({ client, db, memory, now }), 1);
  return {
    consumeSingle: (items, deadline) => single.add(items, { deadline }),
    consumeJoint: (items, deadline) => joint.add(items, { deadline }),
    read: (keys, signal) => untilAnswered(signal, () => findTallies(db, keys, { signal })),
    reset: (keys, signal) => untilAnswered(signal, () => emptyEach(db, keys, signal)),
    close() {
      single.close();
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
