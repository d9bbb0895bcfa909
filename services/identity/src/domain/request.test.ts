import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type AccessRequest, authorizationIdOf, newAuthorization, requireRepeat } from './request.js';
import { isUserCode, userCodeHash, userCodeOf } from './secret.js';

const now = new Date('2026-06-01T12:00:00Z');
const request: AccessRequest = {
  ...{ requestKey: randomUUID(), email: 'jane@example.org', agentName: 'Atlas' },
  ...{ scopes: ['write:story'], purpose: 'x', site: 'org' },
};
const parts = { deviceHash: 'h', mailId: 'm', userCodeRule: 'never' as const, blocked: false };

it('derives the id from the key, and the id does not reveal the key', () => {
  const id = authorizationIdOf(request.requestKey);
  expect(authorizationIdOf(request.requestKey)).toBe(id);
  expect(authorizationIdOf(randomUUID())).not.toBe(id);
  expect(id).not.toBe(request.requestKey);
  expect(() => authorizationIdOf('mine')).toThrow(/request_key/);
});

it('accepts only the same request within 24 hours as a repeat', () => {
  const made = newAuthorization(request, parts, now);
  requireRepeat(made, { ...request }, new Date(now.getTime() + 86_400_000));
  expect(() => requireRepeat(made, request, new Date(now.getTime() + 86_400_001))).toThrow('used over 24 hours ago');
  const others = [{ email: 'joe@example.org' }, { agentName: 'Other' }, { scopes: [] }, { purpose: '' }];
  for (const changes of [...others, { site: 'io' as const }]) {
    expect(() => requireRepeat(made, { ...request, ...changes }, now)).toThrow('used with another payload');
  }
});

it('makes user codes from clearly different consonants, all equally likely', () => {
  const seen = new Map<string, number>();
  for (let at = 0; at < 2000; at++) {
    const code = userCodeOf(randomUUID());
    expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    for (const letter of code.replace('-', '')) seen.set(letter, (seen.get(letter) ?? 0) + 1);
  }
  expect(seen.size).toBe(20);
  for (const count of seen.values()) expect(Math.abs(count - 800)).toBeLessThan(160);
});

it('takes the letters of a user code from what a window made of it, for one authorization', () => {
  for (const typed of [' wdjb mjht', '“WDJB‑MJHT”', 'WDJB–MJHT', 'ＷＤＪＢ－ＭＪＨＴ', '\u200bWDJB-MJHT\u00a0'])
    expect(userCodeHash('a', typed)).toBe(userCodeHash('a', 'WDJB-MJHT'));
  expect(userCodeHash('b', 'WDJB-MJHT')).not.toBe(userCodeHash('a', 'WDJB-MJHT'));
});

it('recognises the form of a user code', () => {
  for (const typed of ['WDJB-MJHT', 'wdjbmjht', ' wdjb mjht ']) expect(isUserCode(typed)).toBe(true);
  for (const typed of ['', 'WDJB-MJH', 'WDJB-MJHTX', 'XWDJB-MJHT', 'AEIO-UAEI']) {
    expect(isUserCode(typed)).toBe(false);
  }
});

describe('a new request', () => {
  const make = (changes: Partial<Parameters<typeof newAuthorization>[1]> = {}, asked: Partial<AccessRequest> = {}) =>
    newAuthorization({ ...request, ...asked }, { ...parts, ...changes }, now);
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const tomorrow = new Date(now.getTime() + 86_400_000);

  it('is pending for 24 hours and has a confirmation mail', () => {
    const id = authorizationIdOf(request.requestKey);
    const { email, agentName, scopes, purpose, site } = request;
    const mail = { id: 'm', purpose: 'confirmation', state: 'pending', attempts: 0, sentAt: null };
    expect(make()).toEqual({
      ...{ id, rootAuthorizationId: id, renews: null, email, agentName, scopes, purpose, site, origin: 'agent' },
      ...{ state: 'pending', createdAt: now, expiresAt: tomorrow, timerAt: tomorrow },
      ...{ decision: null, decidedAt: null, pickUpUntil: null, lastPolledAt: null, codes: [], grant: null },
      ...{ userCode: userCodeOf(request.requestKey), userCodeHash: null, userCodeRule: 'never', wrongUserCodes: 0 },
      ...{ deviceHashes: ['h'], mails: [{ ...mail, recordedAt: now, dueAt: now }], mailsDueAt: now },
      history: [{ from: '', to: 'pending', actor: 'agent', at: now, reason: '', revision: 1 }],
      revision: 1,
      purgeAt: new Date(tomorrow.getTime() + 30 * 86_400_000),
    });
    expect(make({ traceparent }).mails).toMatchObject([{ traceparent }]);
  });

  it('sends no mail to a blocked mailbox', () => {
    expect(make({ blocked: true })).toMatchObject({ mails: [], mailsDueAt: null, state: 'pending' });
  });

  it('stores a required user code as a hash, and in clear text without a scope to write', () => {
    const id = authorizationIdOf(request.requestKey);
    const typed = { userCode: '', userCodeHash: userCodeHash(id, userCodeOf(request.requestKey)) };
    expect(make({ userCodeRule: 'page' })).toMatchObject({ ...typed, userCodeRule: 'page' });
    expect(make({ userCodeRule: 'page' }, { scopes: [] })).toMatchObject({ userCodeHash: null, userCodeRule: 'never' });
  });

  it('joins the renewal chain; a repeat must renew the same token', () => {
    const renewed = { id: 't', rootAuthorizationId: 'line', agentName: 'Old Atlas' };
    const made = make({}, { renewed });
    expect(made).toMatchObject({ rootAuthorizationId: 'line', renews: { tokenId: 't', agentName: 'Old Atlas' } });
    requireRepeat(made, { ...request, renewed }, now);
    expect(() => requireRepeat(made, request, now)).toThrow('used with another payload');
  });
});
