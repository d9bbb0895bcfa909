import { expect, it } from 'vitest';
import { expireToken, isValid, newToken, replaceToken, revokeToken } from './token.js';

const at = new Date('2026-06-01T12:00:00Z');
const after = (days: number) => new Date(at.getTime() + days * 86_400_000);
const by = (actor: string, when: Date) => ({ actor, at: when, reason: 'why' });
const facts = { hash: 'h', id: 't', authorizationId: 'a', rootAuthorizationId: 'a', scopes: [] };
const holder = { email: 'jane@example.org', agentName: 'Atlas' };
const token = newToken({ expiresAt: after(180), ...facts, ...holder }, by('agent', at));

it('is valid until its end', () => {
  expect(isValid(token, at)).toBe(true);
  expect(isValid(token, new Date(after(180).getTime() - 1))).toBe(true);
  expect(isValid(token, after(180))).toBe(false);
  expect(isValid({ ...token, state: 'revoked' }, at)).toBe(false);
});

it.each([
  ['revoked', revokeToken],
  ['renewed', replaceToken],
] as const)('that is %s is kept for 30 days, and ends once', (state, end) => {
  expect(end(token, by('ana', after(1)))).toEqual({
    set: { state, revokedAt: after(1), purgeAt: after(31) },
    transition: { from: 'active', to: state, actor: 'ana', at: after(1), reason: 'why', revision: 2 },
  });
  expect(end({ ...token, state: 'revoked' }, by('ana', after(1)))).toBeUndefined();
  expect(end(token, by('ana', after(180)))).toBeUndefined();
});

it('expires at its time, even if that is stored later, unless it ended before', () => {
  expect(expireToken(token, by('system', new Date(after(180).getTime() - 1)))).toBeUndefined();
  expect(expireToken({ ...token, state: 'renewed' }, by('system', after(181)))).toBeUndefined();
  for (const noticed of [180, 181]) {
    expect(expireToken(token, by('system', after(noticed)))).toEqual({
      set: { state: 'expired', revokedAt: null, purgeAt: after(210) },
      transition: { from: 'active', to: 'expired', actor: 'system', at: after(180), reason: 'why', revision: 2 },
    });
  }
});
