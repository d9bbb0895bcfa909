import { describe, expect, it } from 'vitest';
import type { Authorization } from './authorization.js';
import { newBlock } from './block.js';
import { newAccessKey, newMailedCode, requireConfirmedKeyHolder, unknownKey } from './mailed-code.js';
import { newAuthorization } from './request.js';
import { newSecretCode, optionalSecretCode } from './secret.js';

const at = new Date('2026-06-01T12:00:00Z');
const after = (days: number) => new Date(at.getTime() + days * 86_400_000);

function keyed(): { made: Authorization; mailed: string } {
  const request = { email: 'jane@example.org', agentName: 'Atlas', scopes: [], purpose: '', site: 'org' as const };
  const requestKey = '0b9f2c1e-8f5c-4a43-9a4b-1f2d3c4b5a60';
  const parts = { deviceHash: '', mailId: 'm', userCodeRule: 'never' as const, blocked: false };
  const made = newAuthorization({ ...request, requestKey }, parts, at);
  const { kept } = newMailedCode(made, { id: 'm', attempts: 1 });
  return { made: { ...made, codes: [kept] }, mailed: kept.keyHash };
}

describe('the access page', () => {
  const { made, mailed } = keyed();
  const holder = (authorization: Authorization | undefined, hash: string) =>
    requireConfirmedKeyHolder(authorization, { ...readKey(), hash });
  const readKey = () => {
    const read = optionalSecretCode(newSecretCode(made.id).code);
    if (read === undefined) throw new Error('unreadable');
    return read;
  };

  it('opens with the key of a code only after the confirmation', () => {
    expect(holder({ ...made, decision: 'confirm' }, mailed)).toBe('jane@example.org');
    for (const decision of [null, 'decline'] as const) {
      expect(() => holder({ ...made, decision }, mailed)).toThrow(unknownKey());
    }
  });

  it('opens with no other key, and with none after the person is erased', () => {
    const wrong = expect.objectContaining({ code: 'not_found', message: 'This link is unknown or has ended.' });
    expect(() => holder(undefined, mailed)).toThrow(wrong);
    expect(() => holder({ ...made, decision: 'confirm' }, readKey().hash)).toThrow(wrong);
    expect(() => holder({ ...made, decision: 'confirm', state: 'erased' }, mailed)).toThrow(wrong);
  });

  it('does not open with a key that was not mailed yet', () => {
    const key = newAccessKey('jane@example.org', 'io', at, 'k');
    const { email, site } = { email: 'jane@example.org', site: 'io' };
    const empty = { hashes: [], mails: [], mailsDueAt: null };
    expect(key).toEqual({ id: 'k', email, site, createdAt: at, purgeAt: after(180), ...empty });
    expect(newAccessKey(email, 'io', at).id).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('a block', () => {
  const act = { actor: 'human', at, reason: 'too many' };

  it('lasts for some days or for ever, and includes every plus-tag', () => {
    const block = { mailbox: 'jane@example.org', actor: 'human', reason: 'too many', createdAt: at };
    expect(newBlock('jane+news+x@example.org', 3, act)).toEqual({ ...block, until: after(3) });
    expect(newBlock('jane@example.org', 0, act)).toEqual({ ...block, until: null });
    expect(newBlock('jane@example.org', 3650, act).until).toEqual(after(3650));
  });

  it.each([-1, 1.5, 3651, Number.NaN])('cannot last %d days', (days) => {
    expect(() => newBlock('jane@example.org', days, act)).toThrow('days must be 0 to 3650; 0 means for ever.');
  });
});
