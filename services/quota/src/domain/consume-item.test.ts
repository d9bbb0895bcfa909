import { describe, expect, it } from 'vitest';
import {
  type ConsumeItem,
  fitsPipeline,
  fitsPortions,
  grantUncounted,
  maxOpen,
  portionSize,
  withCountingCharges,
} from './consume-item.js';
import type { Charge } from './subject.js';

const charge = (limit: number): Charge => ({
  key: `limit ${limit}`,
  policy: { name: 'read_client_id', kind: 'client_id', limit, window: 'day' },
});
const item = (...limits: [number, ...number[]]): ConsumeItem => {
  const [first, ...rest] = limits;
  return { id: 'a', charges: [charge(first), ...rest.map(charge)], deadline: 0 };
};

it.each([
  [item(3), true],
  [item(50), true],
  [item(51), false],
  [item(3, 3), false],
])('one conditional write decides a single charge whose policy keeps every id (%#)', (each, single) => {
  expect(fitsPipeline(each)).toBe(single);
});

const ceiling = (limit: number, kind: 'address' | 'mail_domain' = 'address'): Charge => {
  const { key, policy } = charge(limit);
  return { key, policy: { ...policy, kind } };
};

it.each([
  [[charge(3), ceiling(200)], true],
  [[charge(50), ceiling(200), ceiling(800)], true],
  [[charge(51), ceiling(200)], false],
  [[charge(3), ceiling(199)], false],
  [[charge(3), ceiling(200), ceiling(199)], false],
  [[charge(3), ceiling(200, 'mail_domain')], false],
  [[charge(3)], false],
] as [[Charge, ...Charge[]], boolean][])('portions count only high ceilings of addresses (%#)', (charges, fits) => {
  expect(fitsPortions({ id: 'a', charges, deadline: 0 })).toBe(fits);
});

it('a portion is a hundredth of the limit, and a process has at most three in memory', () => {
  const { policy } = ceiling(399);
  expect([portionSize(policy), maxOpen(policy)]).toEqual([3, 9]);
});

describe('a policy that is switched off', () => {
  it('is not counted beside an active one, in any order', () => {
    const both = item(3, 200);
    expect(withCountingCharges(both)).toBe(both);
    expect(withCountingCharges(item(3, 0))).toEqual(item(3));
    expect(withCountingCharges(item(0, 200))).toEqual(item(200));
    expect(withCountingCharges(item(1))).toEqual(item(1));
  });

  it('grants without counting, with nothing left until the end of the window', () => {
    const off = item(0, 0);
    expect(withCountingCharges(off)).toBeUndefined();
    const { policy } = off.charges[0];
    const resetAt = Date.UTC(2026, 10, 22);
    expect(grantUncounted(off, resetAt - 1)).toEqual({ granted: true, allowance: { policy, remaining: 0, resetAt } });
  });
});
