import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowanceOf, type Counter, counterIn, decide, type Outcome, withGrant } from './decision.js';
import type { Policy } from './policy.js';
import type { Charge } from './subject.js';

const day = 86_400_000;
const hour = 3_600_000;
const noon = Date.UTC(2026, 10, 21, 12);

const charge = (key: string, limit: number, window: Policy['window'] = 'day'): Charge => ({
  key,
  policy: { name: 'read_client_id', kind: 'client_id', limit, window },
});

/** Decides items one after the other and stores the counters in memory. */
function world() {
  const stored = new Map<string, Counter>();
  const consume = (id: string, charges: [Charge, ...Charge[]], now = noon): Outcome => {
    const { outcome, changed } = decide(charges, stored, id, now);
    for (const [key, counter] of changed) stored.set(key, counter);
    return outcome;
  };
  return { stored, consume };
}

describe('one charge', () => {
  it('is granted up to the limit and then refused', () => {
    const { consume } = world();
    const own = charge('a', 3);
    const answers = ['1', '2', '3', '4'].map((id) => consume(id, [own]));
    expect(answers.map(({ granted }) => granted)).toEqual([true, true, true, false]);
    expect(answers.map(({ allowance }) => allowance.remaining)).toEqual([2, 1, 0, 0]);
    expect(new Set(answers.map(({ allowance }) => allowance.resetAt))).toEqual(new Set([Date.UTC(2026, 10, 22)]));
  });

  it('is granted for a repeated id without counting it twice, even if nothing is left', () => {
    const { consume, stored } = world();
    const own = charge('a', 2);
    consume('1', [own]);
    consume('2', [own]);
    expect(consume('1', [own])).toMatchObject({ granted: true, allowance: { remaining: 1 } });
    expect(stored.get('a')?.count).toBe(2);
  });

  it('starts at zero in the next window, and never returns to an older one', () => {
    const { consume } = world();
    const own = charge('a', 1, 'hour');
    expect(consume('1', [own], noon + hour - 1).allowance.resetAt).toBe(noon + hour);
    expect(consume('2', [own], noon + hour)).toMatchObject({ granted: true, allowance: { resetAt: noon + 2 * hour } });
    // The response names the window of the counter, even if the clock is still in the older window.
    expect(consume('3', [own], noon)).toMatchObject({ granted: false, allowance: { resetAt: noon + 2 * hour } });
  });

  it('keeps its count when the limit is lowered or raised', () => {
    const { consume } = world();
    for (let id = 1; id <= 5; id++) consume(`${id}`, [charge('a', 10)]);
    expect(consume('6', [charge('a', 3)])).toMatchObject({ granted: false, allowance: { remaining: 0 } });
    expect(consume('5', [charge('a', 3)])).toMatchObject({ granted: true, allowance: { remaining: 0 } });
    expect(consume('6', [charge('a', 7)])).toMatchObject({ granted: true, allowance: { remaining: 1 } });
  });

  it('starts empty; a limit up to 50 keeps every id, a larger one the last 100 to 200', () => {
    expect(counterIn(noon, undefined)).toEqual({ window: noon, count: 0, grants: [] });
    const ids = Array.from({ length: 200 }, (_, at) => `${at}`);
    const grantsAfter = (count: number, limit: number) =>
      withGrant({ window: noon, count, grants: ids.slice(0, count) }, charge('a', limit).policy, 'new').grants;
    expect(grantsAfter(200, 50)).toEqual([...ids, 'new']);
    expect(grantsAfter(149, 51)).toEqual([...ids.slice(0, 149), 'new']);
    expect(grantsAfter(200, 51)).toEqual([...ids.slice(101), 'new']);
  });

  it('keeps a count and the recent ids of a policy with a limit above 50', () => {
    const { consume, stored } = world();
    const many = charge('a', 250);
    for (let id = 1; id <= 250; id++) expect(consume(`${id}`, [many]).allowance.remaining).toBe(250 - id);
    expect(consume('251', [many]).granted).toBe(false);
    expect(consume('240', [many])).toMatchObject({ granted: true, allowance: { remaining: 10 } });
    expect(stored.get('a')?.grants).toHaveLength(149);
  });
});

describe('two charges', () => {
  const own = charge('own', 3);
  const ceiling = charge('ceiling', 4);

  it('are both taken or not at all', () => {
    const { consume, stored } = world();
    for (const id of ['1', '2', '3']) expect(consume(id, [own, ceiling]).granted).toBe(true);
    expect(consume('4', [own, ceiling]).granted).toBe(false);
    expect(stored.get('ceiling')?.count).toBe(3);
    const other = charge('other', 3);
    expect(consume('5', [other, ceiling])).toMatchObject({ granted: true, allowance: { remaining: 2 } });
    expect(consume('6', [other, ceiling])).toMatchObject({ granted: false, allowance: { policy: ceiling.policy } });
    expect(stored.get('other')?.count).toBe(1);
  });

  it('name the own charge first if both are used up', () => {
    const { consume } = world();
    const one = { ...charge('one', 1), policy: { ...own.policy, limit: 1, name: 'read_address' as const } };
    const cap = charge('cap', 1);
    consume('1', [one, cap]);
    expect(consume('2', [one, cap]).allowance.policy.name).toBe('read_address');
  });

  it('are granted again for an id that only one of them still has', () => {
    const { consume, stored } = world();
    const wide = charge('wide', 1000);
    consume('first', [own, wide]);
    for (let id = 0; id < 150; id++) consume(`${id}`, [charge(`o${id}`, 3), wide]);
    expect(consume('first', [own, wide])).toMatchObject({ granted: true, allowance: { remaining: 2 } });
    expect(stored.get('wide')?.count).toBe(151);
  });
});

it('the allowance equals the number of further grants', () => {
  const { consume, stored } = world();
  const own = charge('a', 3);
  const left = (now: number) => allowanceOf(own.policy, stored.get('a'), now);
  expect(left(noon)).toMatchObject({ remaining: 3, resetAt: Date.UTC(2026, 10, 22) });
  consume('1', [own]);
  expect([left(noon).remaining, left(noon + day).remaining]).toEqual([2, 3]);
});

it('grants at most the limit in a window, refuses nobody with an allowance, and never counts a refusal', () => {
  const step = fc.record({
    id: fc.nat({ max: 12 }),
    own: fc.constantFrom('a', 'b'),
    capped: fc.boolean(),
    skew: fc.integer({ min: -1, max: 1 }),
    after: fc.nat({ max: hour }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), fc.integer({ min: 1, max: 4 }), (steps, limit) => {
      const { consume, stored } = world();
      const granted = new Map<string, Set<string>>();
      let now = noon;
      for (const { id, own, capped, skew, after } of steps) {
        now += after;
        const charges: [Charge, ...Charge[]] = [charge(own, limit, 'hour')];
        if (capped) charges.push(charge('cap', limit + 1, 'hour'));
        const before = new Map(stored);
        const { granted: ok, allowance } = consume(`${id}`, charges, now + skew * 60_000);
        if (!ok) {
          expect(stored).toEqual(before);
          expect(allowance.remaining).toBe(0);
          expect([...before.values()].some(({ count }) => count >= allowance.policy.limit)).toBe(true);
          continue;
        }
        for (const { key } of charges) {
          const counter = stored.get(key);
          if (counter === undefined || !counter.grants.includes(`${id}`)) continue;
          const ids = granted.get(`${key} ${counter.window}`) ?? new Set();
          granted.set(`${key} ${counter.window}`, ids.add(`${id}`));
          expect(ids.size).toBeLessThanOrEqual(key === 'cap' ? limit + 1 : limit);
          expect(counter.window).toBeGreaterThanOrEqual(before.get(key)?.window ?? 0);
        }
      }
    }),
  );
});
