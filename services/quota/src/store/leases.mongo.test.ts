import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ConsumeItem } from '../domain/consume-item.js';
import { createCharge } from '../domain/subject.js';
import {
  ceilingOf,
  consumeAll,
  consumeOne,
  itemOf,
  midnight,
  openTestQuotas,
  readItem,
  readOf,
} from '../testing/quotas.js';
import { consumePipeline, upsertCounter } from './counter-commands.js';
import { type CounterDocument, countersName, leaseKey } from './schema.js';

const { signal } = new AbortController();
const quotas = await openTestQuotas('quota_leases');
const process = quotas.open({ limits: { anonymousPerAddress: 100, authorizePerDomain: 1_000 } });

const left = async (client: string): Promise<number | undefined> =>
  (await process.quota.peek([readOf(process, client)], signal))[0]?.remaining;

/** Counts items under a turn of a lease, like one call. */
async function under(id: string, turn: number, items: readonly ConsumeItem[], settlesEarlier = false): Promise<void> {
  const outcomes = await consumeAll(process, items, { id, turn, settlesEarlier });
  expect(outcomes.every((outcome) => !(outcome instanceof Error) && outcome.granted)).toBe(true);
}

describe('a turn of a lease', () => {
  it('gives back every unit that was not settled, once, in all its counters', async () => {
    const ceiling = ceilingOf(process, '10.9.0.1');
    await consumeOne(process, readItem(process, 'open', '10.9.0.1'));
    const units = [readItem(process, 'open', '10.9.0.1'), readItem(process, 'open')];
    const lease = { id: randomUUID(), turn: 1 };
    await under(lease.id, 1, units);
    expect(await left('open')).toBe(0);
    expect(await process.leases.listOpen(signal)).toContainEqual(lease);
    for (let again = 0; again < 2; again++) await process.leases.giveBack(lease, signal);
    expect(await left('open')).toBe(2);
    expect((await quotas.counter(ceiling))?.grants).toHaveLength(1);
    expect(await process.leases.listOpen(signal)).not.toContainEqual(lease);
  });

  it('reduces the count of a counter that no longer has the id', async () => {
    const ceiling = createCharge(process.policies.authorize_domain, { kind: 'mail_domain', value: 'example.org' });
    const items = Array.from({ length: 230 }, (_, at) => itemOf([readOf(process, `many-${at}`), ceiling]));
    await under(randomUUID(), 1, items.slice(0, 220));
    const lease = { id: randomUUID(), turn: 1 };
    await under(lease.id, 1, items.slice(220));
    expect(await quotas.counter(ceiling)).toMatchObject({ count: 230 });
    await process.leases.giveBack(lease, signal);
    expect(await quotas.counter(ceiling)).toMatchObject({ count: 220 });
  });

  it('keeps settled units, except those that nobody received', async () => {
    const [kept, lost] = [readItem(process, 'kept'), readItem(process, 'lost')];
    const lease = { id: randomUUID(), turn: 1 };
    await under(lease.id, 1, [kept, lost]);
    for (let again = 0; again < 2; again++) {
      await process.leases.settle([{ ...lease, undelivered: [lost.id] }], signal);
    }
    await process.leases.giveBack(lease, signal);
    expect([await left('kept'), await left('lost')]).toEqual([2, 3]);
    await process.leases.settle([{ ...lease, undelivered: [] }], signal);
    expect([await left('kept'), await left('lost')]).toEqual([2, 3]);
  });

  it('is settled by the next turn, and late calls change nothing', async () => {
    const id = randomUUID();
    await under(id, 1, [readItem(process, 'first')]);
    await under(id, 2, [readItem(process, 'second')], true);
    // Repeats the first call and the settlement of the first turn.
    await process.leases.open({ id, turn: 1, settlesEarlier: false }, [{ id: 'x', keys: [] }], signal);
    await process.leases.settle([{ id, turn: 1, undelivered: [] }], signal);
    expect((await process.leases.listOpen(signal)).filter((open) => open.id === id)).toEqual([{ id, turn: 2 }]);
    await process.leases.giveBack({ id, turn: 1 }, signal);
    await process.leases.giveBack({ id, turn: 2 }, signal);
    expect([await left('first'), await left('second')]).toEqual([2, 3]);
  });

  it('stays settled for every attempt at the same unit', async () => {
    const item = readItem(process, 'attempts');
    const lease = { id: item.id, turn: 1 };
    await Promise.all([under(item.id, 1, [item]), under(item.id, 1, [item])]);
    await process.leases.settle([{ ...lease, undelivered: [] }], signal);
    await under(item.id, 1, [item]);
    await process.leases.giveBack(lease, signal);
    expect(await left('attempts')).toBe(2);
  });

  it('that was lost with its primary is stored again, and one that is stored or settled stays as it is', async () => {
    const lost = { id: randomUUID(), turn: 1, settlesEarlier: false };
    const item = readItem(process, 'secured');
    const units = [{ id: item.id, keys: [item.charges[0].key] }];
    await under(lost.id, 1, [item]);
    await quotas.db.collection<CounterDocument>(countersName).deleteOne({ _id: leaseKey(lost.id) });
    for (let again = 0; again < 2; again++) await process.leases.open(lost, units, signal);
    expect(await process.leases.listOpen(signal)).toContainEqual({ id: lost.id, turn: 1 });
    await process.leases.settle([{ ...lost, undelivered: [] }], signal);
    await process.leases.open(lost, units, signal);
    await process.leases.giveBack(lost, signal);
    expect(await left('secured')).toBe(2);
  });

  it('writes nothing if nothing is counted', async () => {
    for (let at = 0; at < 4; at++) await consumeOne(process, readItem(process, 'used'));
    const id = randomUUID();
    await consumeAll(process, [readItem(process, 'used')], { id, turn: 1, settlesEarlier: false });
    expect(await quotas.db.collection<CounterDocument>(countersName).countDocuments({ _id: leaseKey(id) })).toBe(0);
  });
});

it('the deadline of a unit stops a write that reaches the database later, for new and for known readers', async () => {
  const before = new Date(Date.now() - 1);
  const write = (client: string, id: string, lastMoment: Date) => {
    const charge = readOf(process, client);
    const pipeline = consumePipeline(charge, midnight, id, lastMoment);
    return upsertCounter(quotas.db, { key: charge.key, pipeline }, signal);
  };
  const later = new Date(Date.now() + 60_000);
  expect((await write('bound', 'one', later)).grants).toEqual(['one']);
  expect((await write('bound', 'two', before)).grants).toEqual(['one']);
  await expect(write('unbound', 'one', before)).rejects.toThrow('validation');
  expect(await quotas.counter(readOf(process, 'unbound'))).toBeNull();
});
