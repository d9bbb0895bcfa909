import { type ConsumeResult, Policy, type Settlement } from '@knowledge/proto/knowledge/quota/v1/quota';
import { beforeEach, expect, it } from 'vitest';
import { type Lease, Leases } from './quota.js';

let settled: Settlement[];
let leases: Leases;
beforeEach(() => {
  settled = [];
  leases = new Leases({ settle: (settlement) => void settled.push(settlement), close: async () => undefined });
});

const allowance = { policy: Policy.READ_CLIENT_ID, limit: 3, remaining: 1, resetAt: new Date() };
const granted: ConsumeResult = { outcome: { $case: 'granted', value: allowance } };
const refused: ConsumeResult = { outcome: { $case: 'refused', value: allowance } };
const failed: ConsumeResult = { outcome: { $case: 'error', value: { code: 14, message: '', details: [] } } };
const unit = (id: string, isCallerGone = false) => ({ id, isCallerGone });
const named = ({ id }: Lease, turn: number, undelivered: string[] = []) => ({ lease: { id, turn }, undelivered });

it('settles a turn before its callers get their response, even if no call follows', async () => {
  const lease = leases.take();
  await leases.callAnswered(lease, [unit('a')], [granted]);
  expect(settled).toEqual([named(lease, 1)]);
  expect(leases.take()).toMatchObject({ id: lease.id, turn: 2, settlesEarlierTurn: false });
});

it('settles a turn by the call that follows at once', async () => {
  const lease = leases.take();
  const settlementSent = leases.callAnswered(lease, [unit('a')], [granted]);
  expect(leases.take()).toMatchObject({ id: lease.id, turn: 2, settlesEarlierTurn: true });
  await settlementSent;
  expect(settled).toEqual([]);
});

it.each([
  ['a failed call', async (next: Lease) => leases.callFailed(next)],
  ['a call whose results are errors', (next: Lease) => leases.callAnswered(next, [unit('b')], [failed])],
])('settles the turn before %s, and does not use that lease again', async (_, fail) => {
  const lease = leases.take();
  const settlementSent = leases.callAnswered(lease, [unit('a')], [granted]);
  await fail(leases.take());
  await settlementSent;
  expect(settled).toEqual([named(lease, 1)]);
  expect(leases.take().id).not.toBe(lease.id);
});

it('gives back units whose caller is gone, and units without an outcome', async () => {
  const lease = leases.take();
  const units = [unit('a'), unit('b', true), unit('c'), unit('d')];
  await leases.callAnswered(lease, units, [granted, granted, failed, refused]);
  expect(settled).toEqual([named(lease, 1, ['b', 'c'])]);
  expect(leases.take().id).not.toBe(lease.id);
});

it('settles nothing if all units were refused', async () => {
  const lease = leases.take();
  await leases.callAnswered(lease, [unit('a')], [refused]);
  expect(settled).toEqual([]);
  expect(leases.take()).toMatchObject({ id: lease.id, settlesEarlierTurn: false });
});
