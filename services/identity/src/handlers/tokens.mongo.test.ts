import { randomUUID } from 'node:crypto';
import { Scope } from '@knowledge/proto/knowledge/identity/v1/identity';
import { fromStatus } from '@knowledge/runtime/grpc';
import { allPages } from '@knowledge/runtime/testing';
import { describe, expect, it, vi } from 'vitest';
import { randomTokenSecret } from '../domain/secret.js';
import { deskCall, serveIdentity } from '../testing/serve.js';

const served = await serveIdentity('tokens');

const issue = (email: string, scopes = [Scope.WRITE_STORY]) => served.issue(email, { scopes });
const resolve = async (...tokens: string[]) => {
  const items = tokens.map((token) => ({ token, context: undefined }));
  const { results } = await served.identity.resolveTokens({ items }, deskCall);
  return results.map(({ outcome }) => {
    if (outcome?.$case === 'principal') return outcome.value;
    return outcome === undefined ? undefined : fromStatus(outcome.value).code;
  });
};

describe('a token made by support with a request key', () => {
  const request = (email: string) => ({
    ...{ email, agentName: 'Atlas', scopes: [Scope.WRITE_STORY], reason: '' },
    requestKey: randomUUID(),
  });

  it('is the same for repeated and parallel calls, and the human gets one mail', async () => {
    const asked = request('repeated@example.org');
    const answers = await Promise.all([1, 2, 3, 4].map(() => served.admin.issueToken(asked, deskCall)));
    answers.push(await served.admin.issueToken(asked, { ...deskCall, requestId: 'another' }));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await resolve(answers[0]?.secret ?? '')).toMatchObject([{ email: 'repeated@example.org' }]);
    const { email } = asked;
    expect(await served.tokensOf(email)).toHaveLength(1);
    await vi.waitFor(() => expect(served.sink.mails.length).toBeGreaterThan(0), 10_000);
    const { authorizations } = await served.authorizationsOf(email);
    expect(authorizations.map(({ mails }) => mails.length)).toEqual([1]);
    const kept = JSON.stringify(await served.db.collection('authorizations').find({ email }).toArray());
    expect(kept).not.toContain(answers[0]?.secret);
    expect(kept).not.toContain(asked.requestKey);
  });

  it('is refused with the id of the first token for another request', async () => {
    const asked = request('conflicts@example.org');
    const { token } = await served.admin.issueToken(asked, deskCall);
    const other = served.admin.issueToken({ ...asked, email: 'x@example.org' }, deskCall);
    await expect(other).rejects.toMatchObject({ code: 'idempotency_conflict', metadata: { token_id: token?.id } });
  });
});

describe('a token made by support', () => {
  it('resolves to its e-mail in lower case with its plus-tag', async () => {
    const scopes = [Scope.WRITE_PROMPT_REPLY, Scope.WRITE_INQUIRY, Scope.WRITE_INQUIRY];
    const { secret, token } = await issue('Jane+Tag@Example.org', scopes);
    expect(secret).toMatch(/^cks_[0-9A-Za-z]{49}$/);
    const { id: tokenId, authorizationId, expiresAt, createdAt } = token;
    expect(Number(expiresAt) - Number(createdAt)).toBe(180 * 86_400_000);
    const holder = { email: 'jane+tag@example.org', agentName: 'Atlas', writesBlocked: false };
    const sorted = [Scope.WRITE_INQUIRY, Scope.WRITE_PROMPT_REPLY];
    expect(await resolve(secret)).toEqual([{ tokenId, authorizationId, expiresAt, ...holder, scopes: sorted }]);
  });

  it('resolves each item in order, also next to malformed tokens', async () => {
    const { secret } = await issue('one@example.org', []);
    const answers = await resolve('nonsense', secret, randomTokenSecret(), '', secret);
    const found = expect.objectContaining({ email: 'one@example.org', scopes: [] });
    expect(answers).toEqual(['invalid_token', found, 'invalid_token', 'invalid_token', found]);
  });

  it('expires after 180 days, even while it is still in the database', async () => {
    const { secret } = await issue('three@example.org');
    served.clock.forward(180 * 86_400_000 - 60_000);
    expect(await resolve(secret)).toEqual([expect.objectContaining({ email: 'three@example.org' })]);
    served.clock.forward(60_001);
    expect(await resolve(secret)).toEqual(['invalid_token']);
  });

  it('is listed with its last use, newest first, in list pages', async () => {
    const made: (string | undefined)[] = [];
    for (let at = 0; at < 5; at++) {
      made.unshift((await issue('many@example.org')).token?.id);
      served.clock.forward(1);
    }
    const named = (more: object) =>
      served.admin.listTokens({ email: '', pageSize: 0, pageToken: '', ...more }, deskCall);
    const pages = await allPages((pageToken) => named({ email: 'MANY@example.org', pageSize: 2, pageToken }));
    expect(pages.flatMap(({ tokens }) => tokens.map(({ id }) => id))).toEqual(made);
    expect((await named({ idPrefix: made[2]?.slice(0, 13) })).tokens.map(({ id }) => id)).toEqual([made[2]]);
    expect((await named({ idPrefix: made[2], email: 'nobody@example.org' })).tokens).toEqual([]);
    for (const neither of [{}, { idPrefix: '.*.*' }]) {
      await expect(named(neither)).rejects.toMatchObject({ code: 'validation_error' });
    }
  });
});

it('stores the minute of the last use a few seconds later', async () => {
  const { secret } = await issue('used@example.org');
  await resolve(secret);
  const used = async () => (await served.tokensOf('used@example.org'))[0]?.lastUsedAt;
  await vi.waitFor(async () => expect(await used()).toBeInstanceOf(Date), { timeout: 10_000, interval: 200 });
  expect(Number(await used()) % 60_000).toBe(0);
});

it('refuses changes without an actor', async () => {
  const request = { email: 'x@example.org', agentName: 'Atlas', scopes: [], reason: '' };
  const refused = served.admin.issueToken(request, { requestId: 'r' });
  await expect(refused).rejects.toMatchObject({ code: 'validation_error' });
});

it('refuses malformed input', async () => {
  const bad = [
    ...[{ email: 'x@example.org, y@example.org' }, { agentName: 'https://evil.example' }],
    ...[{ scopes: [Scope.UNSPECIFIED] }, { reason: 'x'.repeat(2001) }],
  ];
  for (const changes of bad) {
    const refused = served.issue('x@example.org', changes);
    await expect(refused).rejects.toMatchObject({ code: 'validation_error' });
  }
  const unknown = served.revoke('nope', '');
  await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
});
