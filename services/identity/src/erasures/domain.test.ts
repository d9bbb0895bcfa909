import { describe, expect, it } from 'vitest';
import { cancel, confirm, type Erasure, finish, isSameStaffMember, newErasure, requireConfirmed } from './domain.js';

const at = new Date('2026-06-01T09:00:00Z');
const later = { actor: 'desk:bob', at: new Date('2026-06-02T09:00:00Z'), reason: '' };
const facts = { id: 'i', email: 'ada@example.org', person: 'hash', withWork: false };
const waiting = newErasure(facts, { actor: 'desk:ana', at, reason: 'a letter' });
const confirmed: Erasure = { ...waiting, ...confirm(waiting, later) };

describe('a request to erase a person', () => {
  it('lapses after seven days, and is then deleted with its address', () => {
    expect(waiting).toMatchObject({ state: 'waiting', lapsesAt: new Date('2026-06-08T09:00:00Z') });
    expect(waiting.purgeAt).toEqual(waiting.lapsesAt);
  });

  it('is confirmed by somebody else only', () => {
    expect(confirmed).toMatchObject({ state: 'confirmed', decidedBy: 'desk:bob', purgeAt: null });
    expect(confirm(confirmed, later)).toBeUndefined();
    for (const actor of ['desk:ana', 'ana', 'ANA via web-desk', 'desk:Ana via desk']) {
      expect(() => confirm(waiting, { ...later, actor })).toThrow(/another staff member/);
    }
  });

  it('is not confirmed after it was cancelled, nor cancelled after it was confirmed', () => {
    const cancelled: Erasure = { ...waiting, ...cancel(waiting, later) };
    expect(cancelled).toMatchObject({ state: 'cancelled', email: '', reason: '', decidedBy: 'desk:bob' });
    expect(cancel(cancelled, later)).toBeUndefined();
    expect(() => confirm(cancelled, { ...later, actor: 'cy' })).toThrow('desk:bob cancelled this request.');
    expect(() => cancel(confirmed, later)).toThrow('desk:bob confirmed this request.');
  });

  it('proves nothing before it is confirmed', () => {
    expect(() => requireConfirmed(waiting)).toThrow(/waiting, not confirmed/);
    expect(() => finish(waiting, at)).toThrow(/not confirmed/);
    expect(() => finish(confirmed, at)).toThrow(/before this/);
  });

  it('keeps no address when it is done', () => {
    const done: Erasure = { ...confirmed, erasedHere: true, ...finish({ ...confirmed, erasedHere: true }, later.at) };
    expect(done).toMatchObject({ state: 'done', email: '', reason: '', purgeAt: new Date('2026-07-02T09:00:00Z') });
    expect(finish(done, later.at)).toBeUndefined();
  });
});

it('tells staff members apart by their names alone', () => {
  expect(isSameStaffMember('ada via support', 'desk:ada via desk')).toBe(true);
  expect(isSameStaffMember('ada', 'adam')).toBe(false);
  expect(isSameStaffMember('ada via bob via support', 'ada via support')).toBe(false);
});
