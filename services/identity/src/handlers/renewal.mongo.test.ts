import { AuthorizationState, Decision } from '@knowledge/proto/knowledge/identity/v1/identity';
import { collect } from '@knowledge/runtime/testing';
import { describe, expect, it, vi } from 'vitest';
import { codeIn, deskCall, outcomeOf, serveIdentity } from '../testing/serve.js';

const served = await serveIdentity('renewal');

const confirm = async (email: string, nth: number) => served.decide(codeIn(await served.mailTo(email, nth)));

/** Lets an agent get one token. `mails` is the number of mails that the human received before. */
const grant = async (email: string, renewedTokenId = '', mails = 0) => {
  const granted = await served.grant(email, { renewedTokenId }, mails + 1);
  await served.mailTo(email, mails + 2);
  return granted;
};

const resolved = async (secret: string) => {
  const outcome = await served.resolve(secret);
  return outcome?.$case === 'principal' ? outcome.value : undefined;
};

const ends = () => {
  const { seen, stop } = collect(served.identity.watchEndedAuthorizations({ afterCursor: '' }, deskCall));
  const of = async (authorizationId: string) => {
    const mine = () => seen.filter((each) => each.authorizationId === authorizationId);
    await vi.waitFor(() => expect(mine()).not.toEqual([]), 5000);
    return mine();
  };
  return { of, stop };
};

describe('a renewal', () => {
  it('continues the authorization and ends the old token when the agent fetches the new one', async () => {
    const email = 'renew@example.org';
    const first = await grant(email);
    const { deviceCode } = await served.authorize(email, { renewedTokenId: first.token.id });
    await confirm(email, 3);
    expect(await resolved(first.secret)).toMatchObject({ authorizationId: first.token.authorizationId });
    const second = await served.fetchToken(deviceCode);
    expect(second.token.authorizationId).toBe(first.token.authorizationId);
    expect(await resolved(first.secret)).toBeUndefined();
    expect(await resolved(second.secret)).toMatchObject({ authorizationId: first.token.authorizationId });
    const { authorizations } = await served.authorizationsOf(email, { state: AuthorizationState.RENEWED });
    expect(authorizations.map(({ tokenId }) => tokenId)).toEqual([first.token.id]);
  });

  it('leaves one valid token after several renewals', async () => {
    const email = 'twice@example.org';
    const first = await grant(email);
    const { deviceCode } = await served.authorize(email, { renewedTokenId: first.token.id });
    await served.mailTo(email, 3);
    const second = await grant(email, first.token.id, 3);
    await confirm(email, 3);
    const third = await served.fetchToken(deviceCode);
    expect(await Promise.all([first, second, third].map(({ secret }) => resolved(secret)))).toEqual([
      undefined,
      undefined,
      expect.objectContaining({ tokenId: third.token.id }),
    ]);
    expect(await outcomeOf(served.authorize(email, { renewedTokenId: first.token.id }))).toBe('invalid_token');
  });

  it('appears on the page of the renewed access, which can end the new access', async () => {
    const email = 'replaced@example.org';
    const { code, ...first } = await grant(email);
    const shown = () => served.shown(code);
    expect(await shown()).toMatchObject({ newerAgentName: '', accessUntil: first.token.expiresAt });
    const { deviceCode } = await served.authorize(email, { renewedTokenId: first.token.id, agentName: 'Atlas 2' });
    await confirm(email, 3);
    served.clock.forward(86_400_000 / 2);
    const second = await served.fetchToken(deviceCode);
    const state = AuthorizationState.RENEWED;
    const { expiresAt } = second.token;
    const renewed = { authorization: { state }, newerAgentName: 'Atlas 2' };
    expect(await shown()).toMatchObject({ ...renewed, accessUntil: expiresAt, endedBy: '' });
    expect((await served.decide(code, Decision.DECLINE)).endedEmail).toBe(email);
    expect(await resolved(second.secret)).toBeUndefined();
    const ended = { accessUntil: undefined, endedBy: 'human', endedAt: expect.any(Date) };
    expect(await shown()).toMatchObject({ ...renewed, ...ended });
  });

  it('keeps the earlier access after a decline; page and mail show its end', async () => {
    const email = 'declined-renewal@example.org';
    const first = await grant(email);
    const { mail, code } = await served.ask(email, { renewedTokenId: first.token.id }, 3);
    const shown = () => served.shown(code);
    expect(await shown()).toMatchObject({ canDecide: true, renewedUntil: first.token.expiresAt });
    expect(JSON.stringify(mail)).toContain('Your earlier yes still holds until');
    await served.decide(code, Decision.DECLINE);
    expect(await shown()).toMatchObject({ accessUntil: undefined, renewedUntil: first.token.expiresAt });
    expect(await resolved(first.secret)).toMatchObject({ tokenId: first.token.id });
    await served.endAccess(first.accessKey, first.token.id);
    expect((await shown()).renewedUntil).toBeUndefined();
  });

  it('keeps the earlier access if nobody fetches the new token, and the page shows that', async () => {
    const email = 'unfetched-renewal@example.org';
    const first = await grant(email);
    const { code } = await served.ask(email, { renewedTokenId: first.token.id }, 3);
    await served.decide(code);
    expect((await served.shown(code)).renewedUntil).toBeUndefined();
    served.clock.forward(25 * 3_600_000);
    const shown = await served.shown(code);
    expect(shown).toMatchObject({ accessUntil: undefined, renewedUntil: first.token.expiresAt });
  });

  it('is possible only for the e-mail of the token', async () => {
    const { token } = await grant('mine@example.org');
    const theirs = served.authorize('theirs@example.org', { renewedTokenId: token.id });
    expect(await outcomeOf(theirs)).toBe('validation_error');
    expect(await outcomeOf(served.authorize('mine@example.org', { renewedTokenId: 'nope' }))).toBe('invalid_token');
  });

  it('reports no end to followers; ending the access ends the whole chain once', async () => {
    const email = 'ends@example.org';
    const first = await grant(email);
    const second = await grant(email, first.token.id, 2);
    const open = await served.authorize(email, { renewedTokenId: second.token.id });
    const request = { accessKey: second.accessKey, id: second.token.id, keepWaiting: true };
    const { authorizationId } = first.token;
    const ended = { revoked: 1, authorizationIds: [authorizationId], declined: 1 };
    expect(await served.identity.revokeAccess(request, deskCall)).toEqual(ended);
    expect(await outcomeOf(served.fetchToken(open.deviceCode))).toBe('authorization_denied');
    const log = ends();
    expect(await log.of(authorizationId)).toMatchObject([{ actor: 'human', withdrawWaiting: false }]);
    log.stop();
  });
});

it('the end of an authorization reports who ended it and whether waiting contributions are withdrawn', async () => {
  const own = await grant('own@example.org');
  const support = await grant('support@example.org');
  const human = await grant('human@example.org');
  await served.identity.revokeToken({ tokenId: own.token.id }, deskCall);
  await served.revoke(support.token.id, 'lost');
  await served.endAccess(human.accessKey);
  const log = ends();
  expect(await log.of(own.token.authorizationId)).toMatchObject([{ actor: 'agent', withdrawWaiting: false }]);
  expect(await log.of(support.token.authorizationId)).toMatchObject([{ actor: 'ana', withdrawWaiting: true }]);
  expect(await log.of(human.token.authorizationId)).toMatchObject([{ actor: 'human', withdrawWaiting: true }]);
  log.stop();
});

describe('an access key in a mail', () => {
  const create = (email: string) => served.identity.createAccessKey({ email }, deskCall);

  it('opens the access page until it expires or its person is erased', async () => {
    const email = 'key@example.org';
    await grant(email);
    const { accessKey, expiresAt } = await create('Key@Example.org');
    expect(expiresAt?.getTime()).toBeGreaterThan(served.clock.now().getTime() + 179 * 86_400_000);
    expect((await served.access(accessKey)).email).toBe(email);
    const kept = await served.db.collection('access_keys').find().toArray();
    expect(JSON.stringify(kept)).not.toContain(accessKey.slice(37));
    await served.erase(email);
    expect(await outcomeOf(served.access(accessKey))).toBe('not_found');
  });

  it('is deleted after 200 newer keys of its person', async () => {
    const email = 'busy@example.org';
    const first = await grant(email).then(() => create(email));
    const keys = served.db.collection('access_keys');
    await keys.updateMany({ email }, { $set: { createdAt: new Date(0) } });
    const calm = await grant('calm@example.org').then(() => create('calm@example.org'));
    for (let at = 0; at < 41; at++) await Promise.all(Array.from({ length: 5 }, () => create(email)));
    const last = await create(email);
    expect(await keys.countDocuments({ email })).toBe(200);
    expect((await served.access(calm.accessKey)).email).toBe('calm@example.org');
    expect((await served.access(last.accessKey)).email).toBe(email);
    expect(await outcomeOf(served.access(first.accessKey))).toBe('not_found');
  });

  it('is refused for a person who never confirmed anything', async () => {
    await served.authorize('never@example.org');
    expect(await outcomeOf(create('never@example.org'))).toBe('not_found');
  });
});
