import fc from 'fast-check';
import { type Db, type Document, MongoClient, MongoNetworkError, type RunCommandOptions } from 'mongodb';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConsumeItem } from '../domain/consume-item.js';
import { type Counter, decide, type ItemResult, type Outcome, RefusalCache } from '../domain/decision.js';
import type { Policy } from '../domain/policy.js';
import { type Charge, createCharge } from '../domain/subject.js';
import { ceilingOf, consumeOne, itemOf, midnight, openTestQuotas, readOf } from '../testing/quotas.js';
import { type CeilingCommit, createCeilingCommit } from './ceiling-commit.js';
import { createTransactionCommit } from './counter-store.js';
import { NewSubjects } from './new-subjects.js';
import { createPipelineCommit } from './pipeline-commit.js';
import { type CounterDocument, countersName, toCounter } from './schema.js';

const today = midnight - 43_200_000;
const limits = { anonymousPerAddress: 200 };
let sent: string[];
let breaks: string | undefined;
let commit: CeilingCommit;

const quotas = await openTestQuotas('quota_ceiling');
afterAll(() => quotas.close());
const process = quotas.open({ now: () => today, limits });
beforeEach(() => {
  sent = [];
  breaks = undefined;
  const db = recorded(quotas.db);
  const memory = new RefusalCache();
  const now = (): number => today;
  const newcomers = new NewSubjects(now);
  const own = createPipelineCommit({ db, memory, now, newcomers });
  const exact = createTransactionCommit({ client: quotas.db.client, db, memory, newcomers, now });
  commit = createCeilingCommit({
    db,
    newcomers,
    now,
    own,
    open: async () => undefined,
    exact: (items) => exact(items, AbortSignal.timeout(10_000)),
  });
});

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);
const run = (...items: ConsumeItem[]): Promise<ItemResult[]> => commit(items, AbortSignal.timeout(10_000));
const read = (client: string, address: string, id?: string): ConsumeItem =>
  itemOf([readOf(process, client), ceilingOf(process, address)], id);
const counted = async ({ key }: Charge): Promise<number> => {
  const document = await quotas.db.collection<CounterDocument>(countersName).findOne({ _id: key });
  return document === null ? 0 : toCounter(document).count;
};
const grantsOf = (results: readonly ItemResult[]): number =>
  results.filter((result) => !(result instanceof Error) && result.granted).length;

it('takes the ceiling, then the own units with one command, without a transaction', async () => {
  expect(grantsOf(await run(...range(5).map((at) => read(`quick-${at}`, '10.0.0.1'))))).toBe(5);
  expect(grantsOf(await run(...range(5).map((at) => read(`quick-${at}`, '10.0.0.1'))))).toBe(5);
  expect(sent).toEqual(['update', 'update']);
  expect(await counted(ceilingOf(process, '10.0.0.1'))).toBe(10);
});

it('gives the unit back if the reader is refused, and keeps a count beyond the recent ids', async () => {
  for (let batch = 0; batch < 3; batch += 1) {
    const items = range(40).flatMap((at) => [0, 1, 2, 3].map(() => read(`many-${at}`, `10.0.1.${at % 2}`)));
    expect(grantsOf(await run(...items))).toBe(batch === 0 ? 120 : 0);
  }
  for (const at of [0, 1]) expect(await counted(ceilingOf(process, `10.0.1.${at}`))).toBe(60);
});

it('counts a repeated id once, in one batch and in the next', async () => {
  const item = read('again', '10.0.0.2');
  for (let times = 0; times < 3; times += 1) {
    expect(await run(item, item)).toMatchObject(Array(2).fill({ granted: true, allowance: { remaining: 2 } }));
  }
  expect(await counted(ceilingOf(process, '10.0.0.2'))).toBe(1);
});

describe('an attempt that broke off after it took the ceiling', () => {
  const broken = async (client: string, address: string): Promise<ConsumeItem> => {
    const item = read(client, address);
    await consumeOne(process, itemOf([ceilingOf(process, address)], item.id));
    expect(await counted(readOf(process, client))).toBe(0);
    return item;
  };

  it('is completed by its repetition: the reader is charged, and the ceiling once', async () => {
    const item = await broken('broken', '10.0.0.3');
    for (let times = 0; times < 2; times += 1) {
      expect(await run(item)).toMatchObject([{ granted: true, allowance: { remaining: 2 } }]);
    }
    expect(await counted(readOf(process, 'broken'))).toBe(1);
    expect(await counted(ceilingOf(process, '10.0.0.3'))).toBe(1);
  });

  it('grants nothing to a reader without an allowance', async () => {
    const item = await broken('spent', '10.0.0.4');
    for (const _ of range(3)) await consumeOne(process, itemOf([readOf(process, 'spent')]));
    expect(await run(item)).toMatchObject([{ granted: false, allowance: { policy: { name: 'read_client_id' } } }]);
  });

  it('is completed even if only the reply was lost', async () => {
    breaks = 'update';
    expect(grantsOf(await run(read('lost', '10.0.0.5')))).toBe(1);
    expect(await counted(readOf(process, 'lost'))).toBe(1);
    expect(await counted(ceilingOf(process, '10.0.0.5'))).toBe(1);
  });
});

it('is exact up to the last unit of the ceiling, through two processes at once', async () => {
  const processes = [quotas.open({ limits }), quotas.open({ limits })] as const;
  const outcomes = await Promise.all(
    range(800).map((turn) => {
      const one = processes[turn % 2 === 0 ? 0 : 1];
      return consumeOne(one, itemOf([readOf(one, `all-${turn % 100}`), ceilingOf(one, '10.0.0.6')]));
    }),
  );
  expect(grantsOf(outcomes)).toBe(200);
  expect(await counted(ceilingOf(process, '10.0.0.6'))).toBe(200);
  const own = await Promise.all(range(100).map((at) => counted(readOf(process, `all-${at}`))));
  expect(own.reduce((sum, count) => sum + count, 0)).toBe(200);
});

it('a transaction that a killed process left open on a ceiling or a reader blocks others for at most 5 s', async () => {
  const [item, other] = [read('orphan', '10.0.0.7'), read('orphan-2', '10.0.0.7')];
  for (const each of [item, other]) await consumeOne(process, each);
  const dead = new MongoClient(globalThis.process.env.MONGODB_TEST_URI ?? '', { appName: 'quota_ceiling' });
  const counters = dead.db(quotas.db.databaseName).collection<CounterDocument>(countersName);
  const sessions = [ceilingOf(process, '10.0.0.7').key, readOf(process, 'orphan').key].map(async (key) => {
    const session = dead.startSession();
    session.startTransaction();
    await counters.updateOne({ _id: key }, { $push: { grants: 'dead' } }, { session });
  });
  await Promise.all(sessions);
  const deadline = Date.now() + 5_000;
  const again = [readOf(process, 'orphan'), ceilingOf(process, '10.0.0.7')] as const;
  const outcomes = await process.quota.consume([{ ...itemOf([...again]), deadline }], deadline);
  expect(outcomes).toMatchObject([{ granted: true, allowance: { remaining: 1 } }]);
  await dead.close();
});

const call = fc.record({
  store: fc.constantFrom(0 as const, 1 as const),
  after: fc.oneof(fc.constant(0), fc.nat({ max: 100_000 }), fc.nat({ max: 5_400_000 })),
  items: fc.array(fc.record({ subject: fc.nat({ max: 39 }), id: fc.nat({ max: 5 }), address: fc.nat({ max: 1 }) }), {
    minLength: 1,
    maxLength: 60,
  }),
});

it('a repeat that is refused in the next window keeps what was counted in the one before', async () => {
  let now = midnight - 1_000;
  const hourly = { kind: 'client_id', limit: 1, window: 'hour' } as const;
  const items = (...ids: string[]): ConsumeItem[] => {
    const own = createCharge({ name: 'read_client_id', ...hourly }, { kind: 'client_id', value: 'late' });
    const cap = { name: 'read_address_cap', kind: 'address', limit: 200, window: 'hour' } as const;
    return ids.map((id) => itemOf([own, createCharge(cap, { kind: 'address', value: `10.255.0.${id}` })], id));
  };
  const { store } = quotas.open({ now: () => now });
  const granted = async (...ids: string[]): Promise<(boolean | undefined)[]> => {
    const results = await store.consumeByTransaction(items(...ids), Date.now() + 15_000);
    return results.map((result) => 'granted' in result && result.granted);
  };
  expect(await granted('1')).toEqual([true]);
  now = midnight + 1_000;
  expect(await granted('2', '1')).toEqual([true, false]);
  expect(await Promise.all(items('1', '2').map(({ charges }) => counted(charges[1] as Charge)))).toEqual([1, 1]);
});

it('every sequence of calls gives the results of the model', async () => {
  let now = midnight;
  const { stores } = { stores: [60_000, -60_000].map((ahead) => quotas.open({ now: () => now + ahead }).store) };
  let history = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(1, 3),
      fc.constantFrom(128, 140, 1000),
      async (calls, limit, ceiling) => {
        history++;
        const model = new Map<string, Counter>();
        const policy: Policy = { name: 'read_client_id', kind: 'client_id', limit, window: 'hour' };
        const cap: Policy = { name: 'read_address_cap', kind: 'address', limit: ceiling, window: 'hour' };
        for (const { store, after, items } of calls) {
          now += after;
          const asked = items.map(({ subject, id, address }): ConsumeItem => {
            const own = createCharge(policy, { kind: 'client_id', value: `${history}-${subject}` });
            const shared = createCharge(cap, {
              kind: 'address',
              value: `10.${history >> 8}.${history & 255}.${address}`,
            });
            return itemOf([own, shared], `${subject}-${id}-${address}`);
          });
          const answers = await (stores[store] as (typeof stores)[0]).consumeByTransaction(asked, Date.now() + 15_000);
          const clock = now + (store === 0 ? 60_000 : -60_000);
          const expected = asked.map(({ charges, id }): Outcome => {
            const { outcome, changed } = decide(charges, model, id, clock);
            for (const [key, counter] of changed) model.set(key, counter);
            return outcome;
          });
          expect(answers).toEqual(expected);
        }
        const kept = await (stores[0] as (typeof stores)[0]).read([...model.keys()], AbortSignal.timeout(5000));
        const sizes = (counters: ReadonlyMap<string, Counter>): unknown[] =>
          [...counters].map(([key, { window, count }]) => [key, window, count]).sort();
        expect(sizes(kept)).toEqual(sizes(model));
      },
    ),
    { numRuns: 60 },
  );
}, 180_000);

/** The test database. It records commands, and loses the reply of the first one that `breaks` names. */
function recorded(db: Db): Db {
  return new Proxy(db, {
    get(target, property) {
      if (property !== 'command') return Reflect.get(target, property);
      return async (document: Document, options?: RunCommandOptions) => {
        const [name] = Object.keys(document) as [string];
        sent.push(name);
        const reply = await target.command(document, options);
        if (name !== breaks) return reply;
        breaks = undefined;
        throw new MongoNetworkError('the reply was lost');
      };
    },
  });
}
