import { randomUUID } from 'node:crypto';
import type { Attribution } from '@knowledge/runtime';
import { describe, expect, it } from 'vitest';
import type { Authorization } from './authorization.js';
import { type DirectIssue, directIssueId, issueDirectly, repeatedSecret } from './issue.js';
import { hashOf } from './secret.js';

const at = new Date('2026-06-01T12:00:00Z');
const after = (minutes: number) => new Date(at.getTime() + minutes * 60_000);
const act = (fields: Partial<Attribution> = {}): Attribution => ({
  ...{ actor: 'ana', at, reason: 'a lost mail', ...fields },
});
const requestKey = '0b9f2c1e-8f5c-4a43-9a4b-1f2d3c4b5a60';
const asked: DirectIssue = { requestKey, email: 'jane@example.org', agentName: 'Atlas', scopes: ['write:story'] };

describe('a token that support issues', () => {
  it('is stored as issued, with a mail to its human and without any code', () => {
    const { secret, token, authorization } = issueDirectly(asked, act());
    const id = directIssueId(requestKey);
    const end = after(180 * 24 * 60);
    const purgeAt = after(210 * 24 * 60);
    const transition = { from: '', actor: 'ana', at, reason: 'a lost mail', revision: 1 };
    const { email, agentName, scopes } = asked;
    expect(token).toEqual({
      ...{ hash: hashOf(secret), id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      ...{ authorizationId: id, rootAuthorizationId: id, email, agentName, scopes, state: 'active' },
      ...{ createdAt: at, expiresAt: end, lastUsedAt: null, revokedAt: null, purgeAt },
      history: [{ ...transition, to: 'active' }],
    });
    const salt = authorization.grant?.salt;
    expect(salt).toMatch(/^[\w-]{43}$/);
    const mail = { id: expect.any(String), purpose: 'issued', state: 'pending', attempts: 0, sentAt: null };
    expect(authorization).toEqual({
      ...{ id, rootAuthorizationId: id, renews: null, email, agentName, scopes, purpose: '', site: 'org' },
      ...{ origin: 'support', state: 'issued', createdAt: at, expiresAt: at },
      ...{ decision: null, decidedAt: null, pickUpUntil: null, lastPolledAt: null, codes: [], deviceHashes: [] },
      ...{ userCode: '', userCodeHash: null, userCodeRule: 'never', wrongUserCodes: 0 },
      grant: { tokenId: token.id, tokenHash: token.hash, salt, issuedAt: at, redeliverUntil: after(10) },
      ...{ mails: [{ ...mail, recordedAt: at, dueAt: at }], mailsDueAt: at, timerAt: after(10) },
      ...{ history: [{ ...transition, to: 'issued' }], revision: 1, purgeAt },
    });
  });

  it('without a request key is different each time and cannot be derived again', () => {
    const one = issueDirectly({ ...asked, requestKey: undefined }, act());
    const other = issueDirectly({ ...asked, requestKey: undefined }, act());
    expect(one.secret).not.toBe(other.secret);
    expect(one.authorization.id).not.toBe(other.authorization.id);
    expect(one.authorization).toMatchObject({ timerAt: null, grant: { salt: null, redeliverUntil: at } });
  });
});

describe('a repeated request key', () => {
  const { secret, token, authorization: made } = issueDirectly(asked, act());
  const again = (changes: Partial<DirectIssue> = {}, by = act(), record: Authorization = made) =>
    repeatedSecret(record, { ...asked, ...changes }, by);

  it('returns the same token for ten minutes', () => {
    expect(again()).toBe(secret);
    expect(again({}, act({ at: after(10 - 1 / 60) }))).toBe(secret);
    expect(() => again({}, act({ at: after(10) }))).toThrow('more than 10 minutes ago');
  });

  it.each([
    ['e-mail', { email: 'joe@example.org' }],
    ['agent', { agentName: 'Other' }],
    ['scopes', { scopes: [] }],
  ])('with another %s is refused', (_what, changes) => {
    expect(() => again(changes)).toThrow(
      expect.objectContaining({
        code: 'idempotency_conflict',
        message:
          'This request_key made another token. If nobody has that token, revoke it. Send a fresh key for another token.',
        metadata: { token_id: token.id },
      }),
    );
  });

  it('is refused for another actor, for an ended token or if the salt was removed', () => {
    expect(() => again({}, act({ actor: 'bob' }))).toThrow('made another token');
    expect(() => again({}, act(), { ...made, history: [] })).toThrow('made another token');
    expect(() => again({}, act(), { ...made, state: 'revoked' })).toThrow('made a token that has ended');
    const wiped = made.grant && { ...made.grant, salt: null };
    expect(() => again({}, act(), { ...made, grant: wiped })).toThrow('more than 10 minutes ago');
    const nameless = expect.objectContaining({ metadata: { token_id: '' } });
    expect(() => again({}, act(), { ...made, grant: null })).toThrow(nameless);
  });

  it('must be a UUID and always gives the same id', () => {
    expect(directIssueId(requestKey)).toBe(directIssueId(requestKey));
    expect(directIssueId(randomUUID())).not.toBe(directIssueId(requestKey));
    expect(() => directIssueId('mine')).toThrow('request_key must be a UUID in lower case.');
  });
});
