import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../domain/decision.js';
import {
  ceilingOf,
  consumeAll,
  consumeOne,
  granted,
  itemOf,
  openTestQuotas,
  range,
  readItem,
  readOf,
} from '../testing/quotas.js';
import { type CounterDocument, countersName } from './schema.js';

const name = 'quota_joint';
const quotas = await openTestQuotas(name);

const grantsOf = (decisions: readonly Outcome[]): number => decisions.filter(({ granted }) => granted).length;

describe('two charges', () => {
  it('are both taken or not at all, in two processes, up to the last unit', async () => {
    const limits = { anonymousPerAddress: 20 };
    const processes = [quotas.open({ limits }), quotas.open({ limits })] as const;
    // 12 clients with a limit of 3 each send 6 requests from one address, whose limit is 20.
    const decisions = await Promise.all(
      range(72).map((turn) => {
        const process = processes[turn % 2 === 0 ? 0 : 1];
        return consumeOne(process, readItem(process, `both-${turn % 12}`, '192.0.2.1'));
      }),
    );
    expect(grantsOf(decisions)).toBe(20);
    const cap = await quotas.counter(ceilingOf(processes[0], '192.0.2.1'));
    const own = await Promise.all(range(12).map((at) => quotas.counter(readOf(processes[0], `both-${at}`))));
    expect(cap?.grants).toHaveLength(20);
    expect(own.flatMap((document) => document?.grants ?? []).sort()).toEqual([...(cap?.grants ?? [])].sort());
  });

  it('are exact for many subjects at once, and refuse nobody with an allowance', async () => {
    const limits = { anonymousPerAddress: 100 };
    const processes = [quotas.open({ limits }), quotas.open({ limits })] as const;
    const bySubject = await Promise.all(
      range(60).map((subject) =>
        Promise.all(
          range(8).map((turn) => {
            const process = processes[turn % 2 === 0 ? 0 : 1];
            return consumeOne(process, readItem(process, `many-${subject}`, `198.51.100.${subject % 3}`));
          }),
        ),
      ),
    );
    for (const decisions of bySubject) {
      const left = decisions.filter(({ granted }) => granted).map(({ allowance }) => allowance.remaining);
      expect(left.sort()).toEqual([0, 1, 2]);
    }
    for (const at of range(3))
      expect((await quotas.counter(ceilingOf(processes[0], `198.51.100.${at}`)))?.grants).toHaveLength(60);
  });

  it('count a repeated id once, alone and in parallel', async () => {
    const process = quotas.open({ limits: { anonymousPerAddress: 200 } });
    const other = quotas.open({ limits: { anonymousPerAddress: 200 } });
    const item = readItem(process, 'idempotent', '192.0.2.3');
    const decisions = await Promise.all(range(20).map((at) => consumeOne(at % 2 === 0 ? process : other, item)));
    for (const decision of decisions) expect(decision).toMatchObject(granted(2));
    expect((await quotas.counter(item.charges[0]))?.grants).toEqual([item.id]);
  });
});

describe('a policy with a limit above 50', () => {
  it('is exact with a count and the recent ids, also in one call', async () => {
    const limits = { anonymousPerAddress: 230 };
    const processes = [quotas.open({ limits }), quotas.open({ limits })] as const;
    const ceiling = ceilingOf(processes[0], '192.0.2.6');
    const calls = await Promise.all(
      range(5).map((at) => {
        const items = range(50).map(() => itemOf([ceiling]));
        return consumeAll(processes[at % 2 === 0 ? 0 : 1], items);
      }),
    );
    const left = (calls.flat() as Outcome[])
      .filter(({ granted }) => granted)
      .map(({ allowance }) => allowance.remaining);
    expect(left.sort((one, other) => one - other)).toEqual(range(230));
    expect(await quotas.counter(ceiling)).toMatchObject({ count: 230, grants: { length: 129 } });
  });

  it('can be lowered to 50 or less and raised again within a window', async () => {
    const take = async (limit: number, times: number): Promise<number> => {
      const process = quotas.open({ limits: { anonymousPerAddress: limit } });
      const items = range(times).map(() => itemOf([ceilingOf(process, '192.0.2.7')]));
      return grantsOf((await consumeAll(process, items)) as Outcome[]);
    };
    expect(await take(300, 30)).toBe(30);
    expect(await take(20, 5)).toBe(0);
    expect(await take(40, 20)).toBe(10);
    expect(await take(300, 170)).toBe(170);
    expect(await take(50, 5)).toBe(0);
    expect(await take(220, 20)).toBe(10);
    expect(await quotas.counter(ceilingOf(quotas.open(), '192.0.2.7'))).toMatchObject({ count: 220 });
  });
});

it('a transaction that a killed process left open blocks others for at most 5 s', async () => {
  const limits = { anonymousPerAddress: 10 };
  const process = quotas.open({ limits });
  const item = () => readItem(process, 'orphan', '192.0.2.8');
  await consumeOne(process, item());
  // For the server, a client that never ends its session looks like a killed process.
  const dead = new MongoClient(globalThis.process.env.MONGODB_TEST_URI ?? '', { appName: name });
  const session = dead.startSession();
  session.startTransaction();
  const counters = dead.db(quotas.db.databaseName).collection<CounterDocument>(countersName);
  const change = { $push: { grants: randomUUID() } };
  await counters.updateOne({ _id: ceilingOf(process, '192.0.2.8').key }, change, { session });
  const begun = Date.now();
  expect(await consumeOne(process, item())).toMatchObject(granted(1));
  expect(Date.now() - begun).toBeLessThan(5_000);
  await expect(session.commitTransaction()).rejects.toMatchObject({ codeName: 'NoSuchTransaction' });
  await dead.close();
});
