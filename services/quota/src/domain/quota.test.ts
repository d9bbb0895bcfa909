import { KnowledgeError } from '@knowledge/runtime';
import { describe, expect, it } from 'vitest';
import type { ConsumeItem, LeasedUnit, LeaseTurn } from './consume-item.js';
import { type Counter, decide, type ItemResult, RefusalCache } from './decision.js';
import { createPolicies } from './policy.js';
import { type CounterStore, createQuota, undecided } from './quota.js';
import { createCharge } from './subject.js';

const noon = Date.UTC(2026, 10, 21, 12);
const midnight = Date.UTC(2026, 10, 22);
const policies = createPolicies({
  ...{ anonymousPerAddress: 200, authorizePerAddress: 0, authorizePerDomain: 0, authorizePerHour: 0 },
});
const reader = { kind: 'client_id', value: 'atlas' } as const;
const own = createCharge(policies.read_client_id, reader);
const cap = createCharge(policies.read_address_cap, { kind: 'address', value: '192.0.2.1' });
const off = createCharge(policies.authorize_address, { kind: 'address', value: '192.0.2.1' });
const usedUp = { window: midnight - 86_400_000, count: 3, grants: ['1', '2', '3'] };
const later = Date.now() + 60_000;
const item = (id: string, ...[first = own, ...rest]: ConsumeItem['charges'][number][]): ConsumeItem => ({
  id,
  charges: [first, ...rest],
  deadline: later,
});
const { signal } = new AbortController();

/** A quota with counters in memory, which uses the real rule. `log` records the calls in order. */
function counting(broken?: Error, hasRoom = false) {
  const stored = new Map<string, Counter>();
  const memory = new RefusalCache();
  const log: string[] = [];
  const consume =
    (way: string): CounterStore['consumeByPipeline'] =>
    async (items, _, turn) => {
      const under = turn === undefined ? '' : ` under ${turn.id}/${turn.turn}`;
      log.push(`${way} ${items.map(({ id }) => id).join()}${under}`);
      if (broken !== undefined) throw broken;
      return items.map(({ charges, id }) => {
        const { outcome, changed } = decide(charges, stored, id, noon);
        for (const [key, counter] of changed) stored.set(key, counter);
        return outcome;
      });
    };
  const store: CounterStore = {
    consumeByPipeline: consume('single'),
    consumeByTransaction: consume('joint'),
    async read(keys) {
      log.push(`read ${keys.length}`);
      return stored;
    },
    async reset(keys) {
      log.push(`reset ${keys.join()}`);
      if (broken !== undefined) throw broken;
      for (const key of keys) stored.delete(key);
    },
  };
  const leases = {
    async open({ id, turn }: LeaseTurn, units: readonly LeasedUnit[]) {
      log.push(`lease ${id}/${turn} of ${units.map((unit) => `${unit.id}: ${unit.keys.length}`).join()}`);
      if (id === 'broken') throw new Error('no database');
    },
  };
  const portions = {
    take: ({ id }: ConsumeItem) => {
      if (hasRoom) log.push(`take ${id}`);
      return hasRoom ? (isGranted: boolean) => log.push(`${id} ${isGranted ? 'keeps' : 'returns'} it`) : undefined;
    },
    forget: (keys: readonly string[]) => log.push(`forget ${keys.join()}`),
  };
  return { quota: createQuota({ policies, store, portions, leases, memory, now: () => noon }), memory, stored, log };
}

const granted = (outcomes: readonly ItemResult[]) =>
  outcomes.map((outcome) => (outcome instanceof KnowledgeError ? outcome.code : outcome.granted));

describe('a ceiling with room in memory', () => {
  it('is kept by who was granted, and returned by who was refused', async () => {
    const { quota, log } = counting(undefined, true);
    const items = ['1', '2', '3', '4'].map((id) => item(id, own, cap));
    expect(granted(await quota.consume(items, later))).toEqual([true, true, true, false]);
    const takes = ['take 1', 'take 2', 'take 3', 'take 4'];
    expect(log).toEqual([...takes, 'single 1,2,3,4', '1 keeps it', '2 keeps it', '3 keeps it', '4 returns it']);
  });

  it('is returned if nothing could be decided', async () => {
    const { quota, log } = counting(new Error('no database'), true);
    expect(granted(await quota.consume([item('1', own, cap)], later))).toEqual(['unavailable']);
    expect(log.at(-1)).toBe('1 returns it');
  });

  it('is returned if the lease of the call could not be opened', async () => {
    const { quota, log } = counting(undefined, true);
    const turn = { id: 'broken', turn: 1, settlesEarlier: false };
    const small = createCharge({ ...policies.read_address_cap, limit: 199 }, { kind: 'address', value: '192.0.2.2' });
    const outcomes = await quota.consume([item('1', own, cap), item('2', own, small)], later, turn);
    expect(granted(outcomes)).toEqual(['unavailable', 'unavailable']);
    expect(log).toEqual(['take 1', 'lease broken/1 of 1: 1,2: 2', '1 returns it']);
  });

  it('is forgotten at a reset, also if its result is unknown', async () => {
    const { quota, log } = counting(new Error('no database'));
    const address = { kind: 'address', value: '192.0.2.1' } as const;
    await expect(quota.reset(address, signal)).rejects.toThrow('no database');
    expect(log.at(-1)).toMatch(/^forget .*read_address_cap:/);
  });
});

describe('items of one call', () => {
  it('are decided by pipeline or transaction, and the results keep their order', async () => {
    const { quota, log } = counting();
    const refused = new KnowledgeError('validation_error', 'no subject');
    const items = [item('1'), refused, item('2', own, cap), item('3', off), item('4', own, off), item('5')];
    const outcomes = await quota.consume(items, later);
    expect(granted(outcomes)).toEqual([true, 'validation_error', false, true, true, true]);
    expect(outcomes[3]).toMatchObject({ allowance: { policy: policies.authorize_address, remaining: 0 } });
    expect(log).toEqual(['single 1,4,5', 'joint 2']);
  });

  it('that are too late are undecided and not counted', async () => {
    const { quota, log } = counting();
    const outcomes = await quota.consume([{ ...item('1'), deadline: Date.now() - 1 }], later);
    expect(outcomes).toEqual([undecided()]);
    expect(log).toEqual([]);
  });

  it('that the cache can decide need no database', async () => {
    const { quota, memory, log } = counting();
    memory.remember(own, usedUp, noon, 0);
    const outcomes = await quota.consume([item('4'), item('2'), item('5', own, off)], later);
    expect(granted(outcomes)).toEqual([false, true, false]);
    expect(log).toEqual([]);
  });

  it('are undecided and not refused in an outage', async () => {
    const { quota } = counting(new Error('no database'));
    const refused = new KnowledgeError('validation_error', 'no subject');
    const outcomes = await quota.consume([item('1'), refused, item('2', own, cap), item('3', off)], later);
    expect(granted(outcomes)).toEqual(['unavailable', 'validation_error', 'unavailable', true]);
    expect(outcomes[0]).toMatchObject({ message: 'The quota could not be checked; try again.', retryAfterSeconds: 1 });
    expect((outcomes[0] as Error).cause).toEqual(new Error('no database'));
  });
});

describe('a lease', () => {
  const lease = { id: 'l', turn: 1, settlesEarlier: false };

  it('is opened before its units are counted, by the store if all are counted in one way', async () => {
    const { quota, log } = counting();
    await quota.consume([item('2', own, cap), item('1')], later, lease);
    await quota.consume([item('3'), item('4', off)], later, { ...lease, turn: 2 });
    expect(log).toEqual(['lease l/1 of 1: 1,2: 2', 'single 1', 'joint 2', 'single 3 under l/2']);
  });

  it('is not opened if nothing is counted, unless it settles the previous turn', async () => {
    const { quota, log } = counting();
    await quota.consume([item('1', off)], later, lease);
    expect(log).toEqual([]);
    await quota.consume([item('1', off)], later, { ...lease, turn: 2, settlesEarlier: true });
    expect(log).toEqual(['lease l/2 of ']);
  });

  it('that cannot be opened leaves every item undecided and not counted', async () => {
    const { quota, stored } = counting();
    const outcomes = await quota.consume([item('1'), item('2', own, cap)], later, { ...lease, id: 'broken' });
    expect(granted(outcomes)).toEqual(['unavailable', 'unavailable']);
    expect(stored.size).toBe(0);
  });
});

it('an error `unavailable` is passed on unchanged; any other error becomes the cause', () => {
  const away = new KnowledgeError('unavailable', 'The database is away.');
  expect(undecided(away)).toBe(away);
  const other = new KnowledgeError('validation_error', 'x');
  expect(undecided(other)).toMatchObject({ code: 'unavailable', cause: other });
});

describe('a subject', () => {
  it('shows the allowance of every policy of its kind, and reads each counter once', async () => {
    const { quota, log } = counting();
    await quota.consume([item('1')], later);
    const shown = [{ policy: policies.read_client_id, remaining: 2, resetAt: midnight }];
    expect(await quota.show(reader, signal)).toEqual(shown);
    const peeked = await quota.peek([own, own, cap], signal);
    expect(peeked.map(({ remaining }) => remaining)).toEqual([2, 2, 200]);
    const ofMailbox = await quota.show({ kind: 'email', value: 'a@x.org' }, signal);
    expect(ofMailbox.map(({ policy }) => policy)).toEqual(
      Object.values(policies).filter(({ kind }) => kind === 'email'),
    );
    expect(log).toEqual(['single 1', 'read 1', 'read 2', 'read 6']);
  });

  it('has its full allowance after a reset, and no cached refusal', async () => {
    const { quota, log } = counting();
    await quota.consume([item('1'), item('2'), item('3')], later);
    expect(await quota.reset(reader, signal)).toMatchObject([{ remaining: 3 }]);
    expect(log).toContain(`reset ${own.key}`);
  });

  it('has no cached refusal even if the result of the reset is unknown', async () => {
    const { quota, memory } = counting(new Error('no database'));
    memory.remember(own, usedUp, noon, 0);
    await expect(quota.reset(reader, signal)).rejects.toThrow('no database');
    expect(memory.recall(own, noon)).toBeUndefined();
  });
});
