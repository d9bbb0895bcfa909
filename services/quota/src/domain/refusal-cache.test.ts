import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { type ConsumeItem, fromCache } from './consume-item.js';
import { type Counter, RefusalCache } from './decision.js';
import type { Charge } from './subject.js';

const midnight = Date.UTC(2026, 10, 22);
const noon = midnight - 43_200_000;
const today = midnight - 86_400_000;
const own: Charge = { key: 'own', policy: { name: 'read_client_id', kind: 'client_id', limit: 2, window: 'day' } };
const cap: Charge = { key: 'cap', policy: { name: 'read_address_cap', kind: 'address', limit: 200, window: 'day' } };
const usedUp: Counter = { window: today, count: 2, grants: ['1', '2'] };

const item = (id: string, charges: ConsumeItem['charges'] = [own]): ConsumeItem => ({ id, charges, deadline: 0 });

function remembering(charge: Charge, counter: Counter, seenAt = noon): RefusalCache {
  const memory = new RefusalCache();
  memory.remember(charge, counter, seenAt, memory.generation);
  return memory;
}

describe('a used-up subject', () => {
  it('is refused, except for the ids of its grants', () => {
    const memory = remembering(own, usedUp);
    expect(fromCache(item('3'), memory, noon)).toMatchObject({ granted: false, allowance: { resetAt: midnight } });
    expect(fromCache(item('1'), memory, noon)).toMatchObject({ granted: true, allowance: { remaining: 1 } });
  });

  it('is read again after 5 s, and when a clock was set back', () => {
    const memory = remembering(own, usedUp);
    expect(memory.recall(own, noon + 4999)).toEqual(usedUp);
    expect(memory.recall(own, noon + 5000)).toBeUndefined();
    expect(remembering(own, usedUp).recall(own, noon - 1)).toBeUndefined();
  });

  it('is read again when its limit has grown', () => {
    const withLimit = (limit: number) => ({ ...own, policy: { ...own.policy, limit } });
    expect(remembering(own, usedUp).recall(withLimit(own.policy.limit + 1), noon)).toBeUndefined();
    expect(remembering(own, usedUp).recall(withLimit(1), noon)).toEqual(usedUp);
  });

  it('has a new allowance when its window ends', () => {
    const memory = remembering(own, usedUp, midnight - 1000);
    expect(memory.recall(own, midnight - 1)).toEqual(usedUp);
    expect(memory.recall(own, midnight)).toBeUndefined();
  });

  it('is dropped at a reset, even if it was read before the reset and stored after it', () => {
    const memory = remembering(own, usedUp);
    const { generation } = memory;
    memory.forget(['own']);
    expect(memory.recall(own, noon)).toBeUndefined();
    memory.remember(own, usedUp, noon, generation);
    expect(memory.recall(own, noon)).toBeUndefined();
  });
});

it('does not cache a subject that has something left', () => {
  expect(remembering(own, { ...usedUp, count: 1, grants: ['1'] }).recall(own, noon)).toBeUndefined();
});

describe('under a ceiling', () => {
  const both: ConsumeItem['charges'] = [own, cap];

  it('the own charge can decide alone', () => {
    const memory = remembering(own, usedUp);
    const { policy } = own;
    expect(fromCache(item('3', both), memory, noon)).toMatchObject({ granted: false, allowance: { policy } });
    expect(fromCache(item('2', both), memory, noon)).toMatchObject({ granted: true });
  });

  it('a ceiling refuses only if it keeps every id', () => {
    const low = { ...cap, policy: { ...cap.policy, limit: 2 } };
    const charges: ConsumeItem['charges'] = [own, low];
    const memory = remembering(low, usedUp);
    expect(fromCache(item('3', charges), memory, noon)).toMatchObject({ granted: false, allowance: { remaining: 0 } });
    // Only the database knows how much is left of the own charge.
    expect(fromCache(item('1', charges), memory, noon)).toBeUndefined();

    const recent = remembering(cap, { window: today, count: 200, grants: ['198', '199', '200'] });
    expect(fromCache(item('1', both), recent, noon)).toBeUndefined();
  });
});

it('uses at most 16 MiB for any limits of its policies', () => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const used = (): number => {
    gc();
    return process.memoryUsage().heapUsed;
  };
  const memory = new RefusalCache();
  const before = used();
  for (let at = 0; at < 10_000; at++) {
    const grants = Array.from({ length: 100 }, () => randomUUID());
    memory.remember({ ...cap, key: `cap:${at}` }, { window: today, count: 200, grants }, noon, memory.generation);
  }
  expect(used() - before).toBeLessThan(20 * 2 ** 20);
  expect(memory.recall({ ...cap, key: 'cap:9999' }, noon)).toMatchObject({ window: today, count: 200 });
  expect(memory.recall({ ...cap, key: 'cap:0' }, noon)).toBeUndefined();
});
