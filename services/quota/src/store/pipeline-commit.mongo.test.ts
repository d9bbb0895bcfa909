import { describe, expect, it } from 'vitest';
import type { Outcome } from '../domain/decision.js';
import {
  consumeAll,
  consumeOne,
  granted,
  itemOf,
  mailboxReadOf,
  midnight,
  openTestQuotas,
  range,
  readItem,
  readOf,
  type TestQuota,
} from '../testing/quotas.js';

const quotas = await openTestQuotas('quota_single');

const remaining = (decisions: readonly Outcome[]): number[] =>
  decisions
    .filter(({ granted }) => granted)
    .map(({ allowance }) => allowance.remaining)
    .sort();

describe('parallel consumes', () => {
  it.each([
    { subjects: 100, requests: 50, count: 2 },
    { subjects: 200, requests: 3, count: 3 },
    { subjects: 400, requests: 7, count: 2 },
  ])(
    '$subjects subjects × $requests requests through $count processes: each subject gets exactly its limit',
    async ({ subjects, requests, count }) => {
      const processes = range(count).map(() => quotas.open());
      const bySubject = await Promise.all(
        range(subjects).map((subject) =>
          Promise.all(
            range(requests).map((turn) => {
              const process = processes[turn % count] as TestQuota;
              return consumeOne(process, readItem(process, `parallel-${requests}-${subject}`));
            }),
          ),
        ),
      );
      for (const decisions of bySubject) expect(remaining(decisions)).toEqual([0, 1, 2]);
    },
  );
});

describe('a repeated id', () => {
  it('is granted again and counted once, alone, in a batch and after the limit', async () => {
    const process = quotas.open();
    const own = readOf(process, 'again');
    const same = await Promise.all(range(20).map(() => consumeOne(process, itemOf([own], 'same'))));
    for (const decision of same) expect(decision).toMatchObject(granted(2));
    await consumeOne(process, itemOf([own], 'second'));
    await consumeOne(process, itemOf([own], 'third'));
    expect(await consumeOne(process, itemOf([own], 'fourth'))).toMatchObject({ granted: false });
    expect(await consumeOne(quotas.open(), itemOf([own], 'second'))).toMatchObject(granted(1));
    expect((await quotas.counter(own))?.grants).toEqual(['same', 'second', 'third']);
  });

  it.each(['$_id', '$$NOW', '$$ROOT', '{"$literal":1}', 'a.b', '\0', '名', '__proto__'])(
    'is only a name: %j',
    async (id) => {
      const process = quotas.open();
      const own = readOf(process, `strange-${id}`);
      const items = [itemOf([own], id), itemOf([own], id), itemOf([own], 'other')];
      for (const [at, left] of [2, 2, 1].entries()) {
        const item = items[at] as (typeof items)[0];
        expect(await consumeOne(process, item)).toMatchObject(granted(left));
      }
      await consumeAll(process, items);
      expect((await quotas.counter(own))?.grants).toEqual([id, 'other']);
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
    expect(await quotas.counter(own)).toMatchObject({ window: new Date(midnight), grants: { length: 3 } });
  });

  it('is the newer one if two clocks differ by a minute, and nobody with an allowance is refused', async () => {
    let now = midnight - 90_000;
    const early = quotas.open({ now: () => now + 60_000 });
    const late = quotas.open({ now: () => now - 60_000 });
    const grants = new Map<string, number>();
    for (; now < midnight + 90_000; now += 10_000) {
      const step = await Promise.all(
        range(10).flatMap((subject) =>
          [early, late].map(async (process) => {
            const { granted: ok, allowance } = await consumeOne(process, readItem(process, `skew-${subject}`));
            return { day: `${subject} ${allowance.resetAt}`, ok };
          }),
        ),
      );
      for (const { day, ok } of step) if (ok) grants.set(day, (grants.get(day) ?? 0) + 1);
      for (const { day, ok } of step) if (!ok) expect(grants.get(day)).toBe(3);
    }
    expect(grants.size).toBe(20);
    for (const count of grants.values()) expect(count).toBe(3);
  });
});

it('a document contains only a hash of its subject, and expires days after its window', async () => {
  const process = quotas.open();
  const own = mailboxReadOf(process, 'jane.doe@example.org');
  await consumeOne(process, itemOf([own]));
  const document = await quotas.counter(own);
  expect(JSON.stringify(document)).not.toContain('jane');
  expect(document?._id).toMatch(/^read_verified_email:[\w-]{43}$/);
  expect((document?.expiresAt.getTime() ?? 0) - Date.now()).toBeGreaterThan(3 * 86_400_000);
});

it('wrong guesses about new subjects never change a result', async () => {
  const first = quotas.open();
  const others = [quotas.open(), quotas.open()];
  const clients = range(40).map((at) => `guess-${at}`);
  const ask = (process: TestQuota) =>
    consumeAll(
      process,
      clients.map((client) => readItem(process, client)),
    );
  await ask(first);
  // These processes know no subject yet, so each of their inserts collides.
  for (const [turn, process] of others.entries()) {
    for (const outcome of await ask(process)) expect(outcome).toMatchObject(granted(1 - turn));
  }
});
