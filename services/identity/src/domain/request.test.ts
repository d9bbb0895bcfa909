import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { authorizationIdOf, newAuthorization, requireRepeat } from './request.js';
import { userCodeHash, userCodeOf } from './user-code.js';

const now = new Date('2026-06-01T12:00:00Z');
const request = {
  requestKey: randomUUID(),
  email: 'jane@example.org',
  agentName: 'Atlas',
  scopes: ['write:story' as const],
  purpose: 'x',
  site: 'org' as const,
};

it('gives one key one id, which does not tell the key', () => {
  const id = authorizationIdOf(request.requestKey);
  expect(authorizationIdOf(request.requestKey)).toBe(id);
  expect(authorizationIdOf(randomUUID())).not.toBe(id);
  expect(id).not.toBe(request.requestKey);
  expect(() => authorizationIdOf('mine')).toThrow(/request_key/);
});

it('takes a repeat within a minute, and nothing else, for the same request', () => {
  const made = newAuthorization(
    request,
    { deviceHash: 'h', mailId: randomUUID(), userCodeRule: 'never', blocked: false },
    now,
  );
  requireRepeat(made, { ...request }, new Date(now.getTime() + 60_000));
  expect(() => requireRepeat(made, request, new Date(now.getTime() + 60_001))).toThrow();
  for (const changes of [{ email: 'joe@example.org' }, { scopes: [] }, { purpose: '' }, { site: 'io' as const }]) {
    expect(() => requireRepeat(made, { ...request, ...changes }, now)).toThrow();
  }
});

it('makes user codes of letters that are no word and not confused, all equally likely', () => {
  const seen = new Map<string, number>();
  for (let at = 0; at < 2000; at++) {
    const code = userCodeOf(randomUUID());
    expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    for (const letter of code.replace('-', '')) seen.set(letter, (seen.get(letter) ?? 0) + 1);
  }
  expect(seen.size).toBe(20);
  for (const count of seen.values()) expect(Math.abs(count - 800)).toBeLessThan(160);
});

it('compares a typed code without case, dash and spaces, for its request alone', () => {
  expect(userCodeHash('a', ' wdjb mjht')).toBe(userCodeHash('a', 'WDJB-MJHT'));
  expect(userCodeHash('b', 'WDJB-MJHT')).not.toBe(userCodeHash('a', 'WDJB-MJHT'));
});
