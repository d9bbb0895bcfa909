import { afterAll, describe, expect, it } from 'vitest';
import type { Outcome } from '../domain/decision.js';
import { consumeOne, itemOf, mailboxReadOf, midnight, openTestQuotas, readOf } from '../testing/quotas.js';
import { type CounterDocument, countersName } from './schema.js';

const quotas = await openTestQuotas('quota_single');
afterAll(() => quotas.close());

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);
const remaining = (decisions: readonly Outcome[]): number[] =>
  decisions
    .filter(({ granted }) => granted)
    .map(({ allowance }) => allowance.remaining)
    .sort();

describe('parallel consumes through two processes', () => {
  it('100 subjects × 50 requests: each subject gets exactly its limit', async () => {
    const processes = [quotas.open(), quotas.open()] as const;
    const bySubject = await Promise.all(
      range(100).map((subject) =>
        Promise.all(
          range(50).map((turn) => {
            const process = processes[turn % 2 === 0 ? 0 : 1];
            return consumeOne(process, itemOf([readOf(process, `parallel-${subject}`)]));
          }),
        ),
      ),
    );
    for (const decisions of bySubject) expect(remaining(decisions)).toEqual([0, 1, 2]);
  });

  it('200 subjects × the limit: no first use is refused', async () => {
    const processes = [quotas.open(), quotas.open(), quotas.open()] as const;
    const bySubject = await Promise.all(
      range(200).map((subject) =>
        Promise.all(processes.map((process) => consumeOne(process, itemOf([readOf(process, `first-${subject}`)])))),
      ),
    );
    for (const decisions of bySubject) expect(remaining(decisions)).toEqual([0, 1, 2]);
  });

  it('one call with many items of one subject is counted exactly', async () => {
    const process = quotas.open();
    for (const subject of ['whole', 'again']) {
      const items = range(60).map((at) => itemOf([mailboxReadOf(process, `${subject}${at % 2}@example.org`)]));
      const outcomes = (await process.quota.consume(items, Date.now() + 15_000)) as Outcome[];
      for (const half of [0, 1]) {
        expect(remaining(outcomes.filter((_, at) => at % 2 === half))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
      }
    }
  });
});

describe('a repeated id', () => {
  it('is granted again and counted once, alone, in a batch and after the limit', async () => {
    const process = quotas.open();
    const own = readOf(process, 'again');
    const same = await Promise.all(range(20).map(() => consumeOne(process, itemOf([own], 'same'))));
    for (const decision of same) expect(decision).toMatchObject({ granted: true, allowance: { remaining: 2 } });
    await consumeOne(process, itemOf([own], 'second'));
    await consumeOne(process, itemOf([own], 'third'));
    expect(await consumeOne(process, itemOf([own], 'fourth'))).toMatchObject({ granted: false });
    const other = quotas.open();
    expect(await consumeOne(other, itemOf([own], 'second'))).toMatchObject({
      granted: true,
      allowance: { remaining: 1 },
    });
    expect((await stored(own.key))?.grants).toEqual(['same', 'second', 'third']);
  });

  it.each(['$_id', '$$NOW', '$$ROOT', '{"$literal":1}', 'a.b', '\0', '名', '__proto__'])(
    'is only a name: %j',
    async (id) => {
      const process = quotas.open();
      const own = readOf(process, `strange-${id}`);
      const items = [itemOf([own], id), itemOf([own], id), itemOf([own], 'other')];
      for (const [at, left] of [2, 2, 1].entries()) {
        const item = items[at] as (typeof items)[0];
        expect(await consumeOne(process, item)).toMatchObject({ granted: true, allowance: { remaining: left } });
      }
      await process.quota.consume(items, Date.now() + 15_000);
      expect((await stored(own.key))?.grants).toEqual([id, 'other']);
    },
  );
});

describe('a window', () => {
  it('starts again at midnight UTC, and the document has only one window', async () => {
    let now = midnight - 100;
    const process = quotas.open({ now: () => now });
    const own = readOf(process, 'midnight');
    const take = (): Promise<Outcome> => consumeOne(process, itemOf([own]));
    expect(remaining(await Promise.all(range(4).map(take)))).toEqual([0, 1, 2]);
    expect((await take()).allowance.resetAt).toBe(midnight);
    now += 100;
    const next = await Promise.all(range(4).map(take));
    expect(remaining(next)).toEqual([0, 1, 2]);
    expect(next[0]?.allowance.resetAt).toBe(midnight + 86_400_000);
    expect(await stored(own.key)).toMatchObject({ window: new Date(midnight), grants: { length: 3 } });
  });

  it('is the newer one if two clocks differ by a minute, and nobody with an allowance is refused', async () => {
    let now = midnight - 90_000;
    const early = quotas.open({ now: () => now + 60_000 });
    const late = quotas.open({ now: () => now - 60_000 });
    const granted = new Map<string, number>();
    for (; now < midnight + 90_000; now += 10_000) {
      const step = await Promise.all(
        range(10).flatMap((subject) =>
          [early, late].map(async (process) => {
            const { granted: ok, allowance } = await consumeOne(process, itemOf([readOf(process, `skew-${subject}`)]));
            return { day: `${subject} ${allowance.resetAt}`, ok };
          }),
        ),
      );
      for (const { day, ok } of step) if (ok) granted.set(day, (granted.get(day) ?? 0) + 1);
      for (const { day, ok } of step) if (!ok) expect(granted.get(day)).toBe(3);
    }
    expect(granted.size).toBe(20);
    for (const count of granted.values()) expect(count).toBe(3);
  });
});

describe('a document', () => {
  it('is created again after it was deleted', async () => {
    const process = quotas.open();
    const clients = range(20).map((at) => readOf(process, `deleted-${at}`));
    const all = (): Promise<Outcome[]> => Promise.all(clients.map((own) => consumeOne(process, itemOf([own]))));
    await all();
    await quotas.db
      .collection<CounterDocument>(countersName)
      .deleteMany({ _id: { $in: clients.map(({ key }) => key) } });
    for (const { granted, allowance } of await all()) expect([granted, allowance.remaining]).toEqual([true, 2]);
  });

  it('contains only a hash of its subject, and expires days after its window', async () => {
    const process = quotas.open();
    const own = mailboxReadOf(process, 'jane.doe@example.org');
    await consumeOne(process, itemOf([own]));
    const document = await stored(own.key);
    expect(JSON.stringify(document)).not.toContain('jane');
    expect(document?._id).toMatch(/^read_verified_email:[\w-]{43}$/);
    expect((document?.expiresAt.getTime() ?? 0) - Date.now()).toBeGreaterThan(3 * 86_400_000);
  });
});

it('an item whose caller stopped waiting is neither decided nor charged', async () => {
  const process = quotas.open();
  const own = readOf(process, 'late');
  const late = { ...itemOf([own]), deadline: Date.now() - 1 };
  const outcomes = await process.quota.consume([late, itemOf([own])], Date.now() + 15_000);
  expect(outcomes).toMatchObject([{ code: 'unavailable' }, { granted: true, allowance: { remaining: 2 } }]);
});

it('wrong guesses about new subjects never change a result', async () => {
  const first = quotas.open();
  const others = [quotas.open(), quotas.open()];
  const clients = range(40).map((at) => `guess-${at}`);
  await first.quota.consume(
    clients.map((client) => itemOf([readOf(first, client)])),
    Date.now() + 15_000,
  );
  // These processes know no subject yet, so each of their inserts collides.
  for (const [turn, process] of others.entries()) {
    const items = clients.map((client) => itemOf([readOf(process, client)]));
    const outcomes = await process.quota.consume(items, Date.now() + 15_000);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ granted: true, allowance: { remaining: 1 - turn } });
    }
  }
});

function stored(key: string): Promise<CounterDocument | null> {
  return quotas.db.collection<CounterDocument>(countersName).findOne({ _id: key });
}
