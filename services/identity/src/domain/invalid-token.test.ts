import { expect, it } from 'vitest';
import { invalidToken } from './token.js';

const end = (state: 'revoked' | 'renewed' | 'expired', actor: string) => ({
  state,
  history: [{ from: 'active', to: state, actor, at: new Date(0), reason: '', revision: 2 }],
});

it('does not suggest a new request after the human ended the access', () => {
  expect(invalidToken(end('revoked', 'human')).message).toMatch(/^Your human ended .* only if they want you to\.$/);
});

it('says that the agent itself gave the token back', () => {
  expect(invalidToken(end('revoked', 'agent')).message).toMatch(/^This token was given back, as you asked/);
});

it('says that a renewal replaced the token', () => {
  expect(invalidToken(end('renewed', 'human')).message).toMatch(/^A renewal replaced this token; use the new one/);
});

it.each([undefined, end('revoked', 'ana'), end('expired', 'system')])(
  'has the same message for every other token (%#)',
  (token) => {
    expect(invalidToken(token).message).toBe('The token is expired, revoked or unknown; ask your human for a new one.');
  },
);
