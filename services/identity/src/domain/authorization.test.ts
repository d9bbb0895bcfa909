import { expect, it } from 'vitest';
import {
  dueChange,
  endedBy,
  endTransitionOf,
  replaceGrant,
  revokeGrant,
  stateAt,
  tokenEndedBy,
} from './authorization.js';

type Authorization = Parameters<typeof stateAt>[0];

const now = new Date('2026-06-01T12:00:00Z');
const before = new Date(now.getTime() - 1);
const later = new Date(now.getTime() + 1);
const act = { actor: 'human', at: now, reason: '' };
const grant = { tokenId: 't', tokenHash: 'h', salt: 's', issuedAt: before, redeliverUntil: later };
const usual = { state: 'issued', expiresAt: later, pickUpUntil: null, timerAt: now, grant, revision: 1 };
const authorization = (fields: Partial<Authorization>) => ({ ...usual, ...fields }) as Authorization;
const ended = ['declined', 'expired', 'revoked', 'renewed', 'erased'] as const;

it('expires a pending authorization, and a confirmed one whose token was not fetched', () => {
  expect(stateAt(authorization({ state: 'pending', expiresAt: now }), now)).toBe('expired');
  expect(stateAt(authorization({ state: 'pending', expiresAt: later }), now)).toBe('pending');
  expect(stateAt(authorization({ state: 'confirmed', expiresAt: before, pickUpUntil: now }), now)).toBe('expired');
  expect(stateAt(authorization({ state: 'confirmed', expiresAt: before, pickUpUntil: later }), now)).toBe('confirmed');
  expect(stateAt(authorization({ state: 'confirmed', expiresAt: before, pickUpUntil: null }), now)).toBe('confirmed');
  expect(stateAt(authorization({ state: 'issued', expiresAt: before, pickUpUntil: before }), now)).toBe('issued');
});

it('stores the reason when an authorization expires', () => {
  const reasonOf = (state: 'pending' | 'confirmed') => dueChange(authorization({ state }), now)?.transition;
  const byTheClock = { to: 'expired', actor: 'system', at: now };
  expect(reasonOf('pending')).toMatchObject({ ...byTheClock, reason: 'Nobody decided in time.' });
  expect(reasonOf('confirmed')).toMatchObject({ ...byTheClock, reason: 'The agent did not fetch its token in time.' });
  expect(dueChange(authorization({}), now)).toEqual({ set: { timerAt: null, grant: { ...grant, salt: null } } });
  for (const state of ended) {
    expect(dueChange(authorization({ state }), now)).toEqual({ set: { timerAt: null } });
    expect(dueChange(authorization({ state, timerAt: null }), now)).toBeUndefined();
  }
  expect(dueChange(authorization({}), before)).toBeUndefined();
  expect(dueChange(authorization({ timerAt: null }), now)).toBeUndefined();
});

it.each(ended)('does not end an authorization that is %s', (state) => {
  expect(revokeGrant(authorization({ state }), act)).toBeUndefined();
  expect(replaceGrant(authorization({ state }), act)).toBeUndefined();
});

it('finds the transition and the actor that ended an authorization or a token', () => {
  const made = { from: '', to: 'pending', actor: 'agent', at: before, reason: '', revision: 1 };
  const end = { ...made, actor: 'ana', to: 'revoked', at: now, revision: 2 };
  const history = [made, end];
  for (const state of ['declined', 'revoked', 'expired'] as const)
    expect(endTransitionOf({ state, history })).toBe(end);
  for (const state of ['pending', 'confirmed', 'issued', 'renewed'] as const)
    expect(endTransitionOf({ state, history })).toBeUndefined();
  expect(['human', 'agent', 'system', 'ana'].map(endedBy)).toEqual(['human', 'agent', 'system', 'support']);
  expect(tokenEndedBy({ state: 'revoked', history: [{ ...end, actor: 'human' }] })).toBe('human');
  expect(tokenEndedBy({ state: 'revoked', history: [] })).toBe('support');
  expect(tokenEndedBy({ state: 'revoked', history })).toBe('support');
  expect(tokenEndedBy({ state: 'renewed', history })).toBe('renewal');
  for (const state of ['active', 'expired'] as const) expect(tokenEndedBy({ state, history })).toBe('');
});
