import { createLogger } from '@knowledge/runtime';
import fc from 'fast-check';
import { type Db, type Document, MongoNetworkError } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { ItemResult } from '../domain/decision.js';
import { type Charge, createCharges } from '../domain/subject.js';
import {
  ceilingOf,
  consumeAll,
  consumeOne,
  itemOf,
  midnight,
  openTestQuotas,
  range,
  readItem,
  readOf,
  type TestQuota,
} from '../testing/quotas.js';
import { createCeilingPortions } from './ceiling-portions.js';
import { toCounter } from './schema.js';

// A portion of this ceiling has 2 units, and a process has at most 6 units in memory.
const limits = { anonymousPerAddress: 200 };
const quotas = await openTestQuotas('quota_portions');

const counted = async (charge: Charge): Promise<number> => {
  const document = await quotas.counter(charge);
  return document === null ? 0 : toCounter(document).count;
};
const grantsOf = (results: readonly ItemResult[]): number =>
  results.filter((result) => !(result instanceof Error) && result.granted).length;

it('a ceiling counts what its readers were granted, and nothing that they were refused', async () => {
  const process = quotas.open({ limits });
  for (const _ of range(2)) {
    const items = range(40).flatMap((at) => range(4).map(() => readItem(process, `many-${at}`, `10.0.0.${at % 2}`)));
    await consumeAll(process, items);
  }
  await process.portions.close();
  for (const at of [0, 1]) expect(await counted(ceilingOf(process, `10.0.0.${at}`))).toBe(60);
});

it.each([1, 2])('the whole ceiling is granted by processes (%d), and at most 6 units more by each', async (count) => {
  const processes = range(count).map(() => quotas.open({ limits }));
  const address = `10.0.1.${count}`;
  const results = await Promise.all(
    range(800).map((turn) => {
      const process = processes[turn % count] as TestQuota;
      return consumeOne(process, readItem(process, `all-${count}-${turn % 300}`, address));
    }),
  );
  for (const { portions } of processes) await portions.close();
  const [process] = processes as [TestQuota];
  const granted = grantsOf(results);
  expect(granted).toBeGreaterThanOrEqual(200);
  expect(granted).toBeLessThanOrEqual(200 + 6 * count);
  expect(await counted(ceilingOf(process, address))).toBe(granted);
  let own = 0;
  for (const at of range(300)) own += await counted(readOf(process, `all-${count}-${at}`));
  expect(own).toBe(granted);
});

it('a process that is new learns with its first portion what others have counted', async () => {
  const [one, other] = [quotas.open({ limits }), quotas.open({ limits })];
  const read = (process: TestQuota, at: number) => consumeOne(process, readItem(process, `new-${at}`, '10.0.2.1'));
  for (const at of range(210)) await read(one, at);
  const granted = [];
  for (const at of range(20)) granted.push((await read(other, 500 + at)).granted);
  expect(granted.filter(Boolean).length).toBeLessThanOrEqual(6);
  expect(granted.slice(10)).toEqual(range(10).map(() => false));
});

it('an IPv6 address is counted in each network around it', async () => {
  const process = quotas.open({ limits });
  const ceilings = createCharges(process.policies.read_address_cap, { kind: 'address', value: '2001:db8:0:1::1' });
  expect(ceilings.map(({ policy }) => policy.limit)).toEqual([200, 800, 3200]);
  await consumeAll(
    process,
    range(5).map((at) => itemOf([readOf(process, `six-${at}`), ...ceilings])),
  );
  await process.portions.close();
  expect(await Promise.all(ceilings.map(counted))).toEqual([5, 5, 5]);
});

describe('a portion', () => {
  const open = (db: Db, keptMs = 60_000, now = () => midnight) => {
    const log = createLogger({ name: 'quota', level: 'silent' });
    const process = quotas.open({ limits });
    const portions = createCeilingPortions({ db, now, log, keptMs });
    const item = (address: string) => readItem(process, 'portion', address);
    const grant = (address: string, times = 1) => {
      for (const _ of range(times)) portions.take(item(address))?.(true);
    };
    return { portions, item, grant, count: (address: string) => counted(item(address).charges[1] as Charge) };
  };

  it('is stored when it is full, or after its time', async () => {
    const { portions, grant, count } = open(quotas.db, 1_500);
    grant('10.1.0.1', 2);
    grant('10.1.0.2');
    await expect.poll(() => count('10.1.0.1')).toBe(2);
    expect(await count('10.1.0.2')).toBe(0);
    await expect.poll(() => count('10.1.0.2'), { timeout: 10_000 }).toBe(1);
    await portions.close();
  });

  it('takes nothing with 6 units in memory, until they are given back or stored', async () => {
    const { portions, item, count } = open(quotas.db);
    const taken = range(6).map(() => portions.take(item('10.1.0.3')));
    expect(taken).not.toContain(undefined);
    expect(portions.take(item('10.1.0.3'))).toBeUndefined();
    taken[0]?.(false);
    expect(portions.take(item('10.1.0.3'))).toBeDefined();
    for (const settle of taken.slice(1)) settle?.(true);
    await expect.poll(() => count('10.1.0.3')).toBe(5);
    await expect.poll(() => portions.take(item('10.1.0.3'))).toBeDefined();
    await portions.close();
  });

  it('of an earlier day changes nothing in the count of the next', async () => {
    let now = midnight - 1_000;
    const { portions, grant, item, count } = open(quotas.db, 60_000, () => now);
    grant('10.1.0.4');
    now = midnight + 1_000;
    const next = open(quotas.db, 60_000, () => now);
    next.grant('10.1.0.4', 3);
    await next.portions.close();
    grant('10.1.0.4');
    await portions.close();
    expect(await count('10.1.0.4')).toBe(4);
    const counter = await quotas.counter(item('10.1.0.4').charges[1] as Charge);
    expect(counter?.window).toEqual(new Date(midnight));
  });

  /** A database whose first update ends in another way. */
  const firstUpdate = (end: (run: () => Promise<Document>) => Promise<Document>) => {
    let ended = 0;
    const command = (...args: Parameters<Db['command']>) => {
      const run = () => quotas.db.command(...args);
      return 'update' in args[0] && ended++ === 0 ? end(run) : run();
    };
    const get = (target: Db, property: string) => (property === 'command' ? command : Reflect.get(target, property));
    return { db: new Proxy(quotas.db, { get: get as never }), ended: () => ended > 0 };
  };

  it('is not stored twice if only the reply was lost', async () => {
    const { db, ended } = firstUpdate(async (run) => {
      await run();
      throw new MongoNetworkError('the reply was lost');
    });
    const { portions, grant, count } = open(db);
    grant('10.1.0.5', 2);
    await expect.poll(() => count('10.1.0.5')).toBe(2);
    await portions.close();
    expect(ended()).toBe(true);
    expect(await count('10.1.0.5')).toBe(2);
  });

  it('is stored later if its statement failed, also beside others that failed', async () => {
    const writeErrors = [0, 1, 2].map((index) => ({ index, code: 121, errmsg: 'failed' }));
    const { portions, grant, count } = open(firstUpdate(async () => ({ ok: 1, n: 0, writeErrors })).db);
    const addresses = ['10.1.0.6', '10.1.0.7', '10.1.0.8'];
    for (const address of addresses) grant(address, 2);
    for (const address of addresses) await expect.poll(() => count(address), { timeout: 5_000 }).toBe(2);
    await portions.close();
  });

  it('is added once by each of two processes that store the first one at the same time', async () => {
    const all = range(8).map(() => open(quotas.db));
    for (const { grant } of all) for (const at of range(20)) grant(`10.1.1.${at}`);
    await Promise.all(all.map(({ portions }) => portions.close()));
    const [{ count }] = all as [ReturnType<typeof open>];
    expect(await Promise.all(range(20).map((at) => count(`10.1.1.${at}`)))).toEqual(range(20).map(() => 8));
  });
});

it('after a reset the address has its whole ceiling again', async () => {
  const process = quotas.open({ limits });
  const read = (at: number) => consumeOne(process, readItem(process, `reset-${at}`, '10.0.3.1'));
  const before = [];
  for (const at of range(203)) before.push(await read(at));
  // What is being stored now would count after the reset. A portion that is stored has two units.
  await expect.poll(() => counted(ceilingOf(process, '10.0.3.1'))).toBeGreaterThanOrEqual(grantsOf(before) - 1);
  await process.quota.reset({ kind: 'address', value: '10.0.3.1' }, AbortSignal.timeout(5_000));
  const results = [];
  for (const at of range(200)) results.push(await read(1_000 + at));
  expect(grantsOf(results)).toBe(200);
});

const calls = fc.array(
  fc.record({
    process: fc.constantFrom(0 as const, 1 as const),
    items: fc.array(fc.record({ reader: fc.nat({ max: 99 }), address: fc.nat({ max: 1 }) }), {
      minLength: 1,
      maxLength: 120,
    }),
  }),
  { minLength: 1, maxLength: 12 },
);

it('readers get what they have left under any sequence of calls, and a ceiling refuses only when it is used up', async () => {
  let history = 0;
  await fc.assert(
    fc.asyncProperty(calls, async (sequence) => {
      history += 1;
      const processes = [quotas.open({ limits }), quotas.open({ limits })] as const;
      const given = new Map<string, number>();
      const add = (name: string) => given.set(name, (given.get(name) ?? 0) + 1);
      for (const { process: at, items } of sequence) {
        const process = processes[at];
        const asked = items.map(
          ({ reader, address }) =>
            [`${history}-${reader}`, `10.${100 + (history >> 8)}.${history & 255}.${address}`] as const,
        );
        const results = await consumeAll(
          process,
          asked.map((each) => readItem(process, ...each)),
        );
        const refused: (() => void)[] = [];
        for (const [place, [reader, address]] of asked.entries()) {
          const result = results[place];
          if (result === undefined || result instanceof Error) throw result;
          if (result.granted) for (const name of [reader, address]) add(name);
          else if (result.allowance.policy.name === 'read_client_id')
            refused.push(() => expect(given.get(reader)).toBe(3));
          else refused.push(() => expect(given.get(address)).toBeGreaterThanOrEqual(200));
        }
        // Items of one reader with two addresses are not decided in their order.
        for (const check of refused) check();
      }
      for (const { portions } of processes) await portions.close();
      for (const [name, count] of given) {
        const isAddress = name.startsWith('10.');
        expect(count).toBeLessThanOrEqual(isAddress ? 212 : 3);
        const charge = isAddress ? ceilingOf(processes[0], name) : readOf(processes[0], name);
        expect(await counted(charge)).toBe(count);
      }
    }),
    { numRuns: 40 },
  );
}, 180_000);
