import { randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { AuthorizationState, Decision, Scope } from '@knowledge/proto/knowledge/identity/v1/identity';
import { readPieces } from '@knowledge/runtime/client';
import { describe, expect, it, vi } from 'vitest';
import { codeIn, deskCall, keyIn, outcomeOf, serveIdentity } from '../testing/serve.js';

const served = await serveIdentity('asking_no_more');

const { access, mailLink: link, shown } = served;
const listed = (email: string) => served.authorizationsOf(email, { state: AuthorizationState.PENDING });
const pending = async (email: string) => (await listed(email)).authorizations;
const block = async (email: string) => (await listed(email)).block;

it('a decline after the confirmation works with an old link, appears on every link, and sends a mail', async () => {
  const { email, code, secret } = await served.grant('second-tab@example.org');
  served.clock.forward(31 * 60_000);
  const { ISSUED: state } = AuthorizationState;
  expect(await shown(code)).toMatchObject({ authorization: { state }, accessUntil: expect.any(Date) });
  const ended = await served.decide(code, Decision.DECLINE);
  expect(ended).toMatchObject({ authorization: { state: AuthorizationState.REVOKED }, accessKey: '' });
  expect(ended.endedAuthorizationId).toBe(ended.authorization?.id);
  expect(ended.endedEmail).not.toBe('');
  expect((await served.resolve(secret))?.$case).toBe('error');
  expect(await shown(code)).toMatchObject({ endedBy: 'human', accessUntil: undefined });
  expect((await served.decide(code, Decision.DECLINE)).endedAuthorizationId).toBe('');
  const mail = await served.mailTo(email, 'An agent can no longer act for you');
  expect((await access(keyIn(mail))).tokens[0]?.endedBy).toBe('human');
});

it('the end of an access by agent or support is mailed to the human', async () => {
  const email = 'told@example.org';
  const { token } = await served.issue(email, { agentName: 'A/B.1' });
  await served.mailTo(email);
  await served.revoke(token?.id ?? '', 'leaked in a ticket');
  const { raw, mail } = await served.mailTo(email, 2);
  expect(mail.text).toContain('Our team ended');
  expect(raw).toContain('leaked in a ticket');
});

describe('the access link', () => {
  it('is mailed only to known people, but the response is the same for all', async () => {
    const { email, code } = await served.ask('lost@example.org');
    expect(await link(email)).toEqual({ maskedEmail: 'l•••@example.org' });
    expect(await link('liar@example.org')).toEqual({ maskedEmail: 'l•••@example.org' });
    await served.decide(code);
    await served.mailTo(email, 2);
    await link(email);
    const opened = await access(keyIn(await served.mailTo(email, 3)));
    expect(opened).toMatchObject({ email, authorizations: [{ state: AuthorizationState.CONFIRMED }] });
    expect(served.mailsTo('liar@example.org')).toEqual([]);
    expect(await served.db.collection('access_keys').countDocuments({ email: 'liar@example.org', mails: [] })).toBe(1);
    await link('', { code });
    await served.mailTo(email, 4);
  });

  it('is mailed to a person with contributions even after the authorizations are deleted', async () => {
    const email = 'long-ago@example.org';
    await link(email, { hasContributions: true });
    const accessKey = keyIn(await served.mailTo(email));
    expect(await access(accessKey)).toMatchObject({ email, tokens: [] });
  });

  it('has separate limits from authorization mails', async () => {
    const email = 'often@example.org';
    for (let at = 0; at < 5; at++) await served.authorize(email);
    expect(await outcomeOf(served.authorize(email))).toBe('rate_limited');
    await Promise.all([1, 2, 3].map(() => link(email, { requestId: 'the-same-request' })));
    for (let at = 0; at < 4; at++) await link(email);
    await expect(link(email)).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: expect.any(Number),
      metadata: { limited: 'mailbox' },
    });
    expect(await outcomeOf(link('not an address'))).toBe('validation_error');
  });
});

it('making earlier links useless ends every key and code but those of waiting requests, and mails one link that works', async () => {
  const { email, deviceCode, code } = await served.ask('seen@example.org');
  const { accessKey: fromPage } = await served.decide(code);
  const welcome = keyIn(await served.mailTo(email, 2));
  const { accessKey: other } = await served.identity.createAccessKey({ email }, deskCall);
  await served.authorize(email);
  const waiting = codeIn(await served.mailTo(email, 3));
  for (const key of [fromPage, welcome, other]) expect((await access(key)).email).toBe(email);

  const replace = () =>
    served.identity.replaceAccessLinks({ accessKey: welcome, site: Site.ORG }, { requestId: 'replace-once' });
  expect(await replace()).toEqual({ email });
  for (const key of [fromPage, welcome, other]) expect(await outcomeOf(access(key))).toBe('not_found');
  expect(await outcomeOf(shown(code))).toBe('invalid_or_expired_code');
  expect(await shown(waiting)).toMatchObject({ canDecide: true });
  const renewed = await served.mailTo(email, 4);
  expect((await access(keyIn(renewed))).email).toBe(email);
  expect(renewed.mail.text).not.toMatch(/nothing has\s+changed/);
  expect((await listed(email)).linkMails).toMatchObject([{ purpose: 'new_link' }]);
  // A repeat is recognised. With another request id the key opens nothing.
  expect(await replace()).toEqual({ email });
  const again = served.identity.replaceAccessLinks({ accessKey: welcome, site: Site.ORG }, deskCall);
  expect(await outcomeOf(again)).toBe('not_found');
  expect(served.mailsTo(email)).toHaveLength(4);
  await served.fetchToken(deviceCode);
});

it('a renewal counts with all other requests to the mailbox; its human can still have a link to the own page', async () => {
  const email = 'many-strangers@example.org';
  const { token } = await served.issue(email, { agentName: 'Kept' });
  const renew = () => served.authorize(email, { renewedTokenId: token?.id ?? '' });
  await renew();
  for (let at = 0; at < 4; at++) await served.authorize(email);
  expect(await outcomeOf(renew())).toBe('rate_limited');
  await link(email);
  await served.mailTo(email, 'The link to your own page');
});

describe('a blocked mailbox', () => {
  it('gets no requests until its human unblocks it, and the agent sees no difference', async () => {
    const email = 'enough@example.org';
    const first = await served.authorize(email);
    const second = await served.authorize(email);
    const code = codeIn(await served.mailTo(email));
    await served.mailTo(email, 2);
    const refused = await served.refuse({ code }, 30);
    expect(refused).toMatchObject({ declined: 2, until: expect.any(Date) });
    for (const { deviceCode } of [first, second]) {
      expect(await outcomeOf(served.poll(deviceCode))).toBe('authorization_denied');
    }
    expect(await shown(code)).toMatchObject({ requestsRefused: true });
    const third = await served.authorize('Enough+tag@example.org');
    expect(Object.keys(third)).toEqual(Object.keys(first));
    expect((await served.poll(third.deviceCode))?.$case).toBe('pending');

    await link(email);
    const accessKey = keyIn(await served.mailTo(email, 3));
    const told = { requestsRefused: true, requestsRefusedUntil: refused.until, authorizations: [] };
    expect(await access(accessKey)).toMatchObject(told);
    await served.identity.allowRequests({ accessKey }, deskCall);
    await served.authorize(email);
    await served.mailTo(email, 4);
    expect(served.mailsTo('enough+tag@example.org')).toEqual([]);
  });

  it('still gets renewal requests of an agent with valid access', async () => {
    const email = 'kept@example.org';
    const { token } = await served.issue(email, { agentName: 'Kept' });
    const accessKey = keyIn(await served.mailTo(email));
    await served.refuse({ accessKey }, 0);
    const renewedTokenId = token?.id ?? '';
    await served.authorize(email);
    const { deviceCode } = await served.authorize(email, { agentName: 'Kept', renewedTokenId });
    const asked = await served.mailTo(email, 2);
    expect(asked.mail.text?.replace(/\s+/g, ' ')).toContain('it renews the access that "Kept" has');
    expect((await access(accessKey)).authorizations).toHaveLength(1);
    await served.decide(codeIn(asked));
    await served.fetchToken(deviceCode);
    expect(await outcomeOf(served.authorize(email, { renewedTokenId }))).toBe('invalid_token');
    expect(served.mailsTo(email).filter(({ mail }) => mail.subject === asked.mail.subject)).toHaveLength(1);
  });

  it('is blocked and unblocked by support, which sees the requester and cancels a request', async () => {
    const email = 'victim@example.org';
    const { authorization, deviceCode } = await served.authorize(email);
    const received = await served.mailTo(email);
    const [record] = await pending(email);
    expect(record).toMatchObject({ clientAddress: '192.0.2.1', clientId: 'atlas/1.0' });
    const cancel = () => served.admin.cancelAuthorization({ id: authorization?.id ?? '', reason: 'spam' }, deskCall);
    expect((await cancel()).authorization?.history.at(-1)).toMatchObject({ actor: 'ana', toState: 'revoked' });
    await cancel();
    expect(await outcomeOf(served.poll(deviceCode))).toBe('invalid_or_expired_code');
    expect(await shown(codeIn(received))).toMatchObject({ endedBy: 'support', endReason: '' });

    await served.authorize(email);
    await served.mailTo(email, 2);
    expect(await served.admin.blockRequests({ email, days: 0, reason: '' }, deskCall)).toEqual({
      until: undefined,
      cancelled: 1,
    });
    expect(await pending(email)).toEqual([]);
    expect(await block(email)).toMatchObject({ until: undefined, actor: deskCall.actor, reason: '' });
    await served.authorize(email);
    await served.admin.unblockRequests({ email }, deskCall);
    expect(await block(email)).toBeUndefined();
    // A repeated call with the same request id gets the same response. A new call fails.
    await served.admin.unblockRequests({ email }, deskCall);
    const another = served.admin.unblockRequests({ email }, { ...deskCall, requestId: 'another' });
    expect(await outcomeOf(another)).toBe('not_found');
    await served.authorize(email);
    await served.mailTo(email, 3);
    await vi.waitFor(() => expect(served.mailsTo(email)).toHaveLength(3));
    const data = await readPieces(served.admin.streamPersonExport({ email }, deskCall));
    expect(data['asked_from']).toHaveLength(4);
    await served.erase(email);
    for (const [name, its] of Object.entries({ requesters: { email }, blocks: { _id: email as never } }))
      expect(await served.db.collection(name).countDocuments(its)).toBe(0);
  });

  it('is blocked by staff: its agents read, but write nothing and get no renewal, and no human ends or replaces it', async () => {
    const email = 'spam@example.org';
    const issued = await served.issue('spam+one@example.org', { agentName: 'Bulk', scopes: [Scope.WRITE_STORY] });
    const accessKey = keyIn(await served.mailTo('spam+one@example.org'));
    const resolved = () => served.resolve(issued.secret);
    const allow = () => served.identity.allowRequests({ accessKey }, { requestId: randomUUID() });
    const staffBlock = async () => (await served.admin.getBlock({ email }, deskCall)).block;
    await served.refuse({ accessKey }, 0);
    expect(await resolved()).toMatchObject({ $case: 'principal', value: { writesBlocked: false } });
    expect(await staffBlock()).toBeUndefined();

    const reason = 'an advertisement';
    await served.admin.blockRequests({ email: 'spam+one@example.org', days: 7, reason }, deskCall);
    const told = await served.mailTo('spam+one@example.org', 2);
    expect(told.mail.text?.replace(/\s+/g, ' ')).toMatch(
      /no agent can ask you for access or send us a text in your name/,
    );
    expect(told.mail.text).toContain(reason);
    expect(told.mail.text).toMatch(/can still read.*If you disagree, write to us/s);
    expect(await resolved()).toMatchObject({ $case: 'principal', value: { writesBlocked: true } });
    expect(await staffBlock()).toMatchObject({ actor: deskCall.actor, reason });
    expect((await listed('spam+one@example.org')).linkMails).toMatchObject([{ purpose: 'blocked' }]);
    const shown = await access(keyIn(told));
    expect(shown).toMatchObject({ requestsRefused: true, blocked: true, blockedUntil: expect.any(Date) });
    await served.authorize('spam+one@example.org', { agentName: 'Bulk', renewedTokenId: issued.token?.id ?? '' });

    await allow();
    await served.refuse({ accessKey }, 1);
    await allow();
    expect(await resolved()).toMatchObject({ value: { writesBlocked: true } });
    expect(await access(accessKey)).toMatchObject({ ...{ requestsRefused: false, blocked: true, authorizations: [] } });
    await served.admin.unblockRequests({ email }, { ...deskCall, requestId: randomUUID() });
    expect(await resolved()).toMatchObject({ value: { writesBlocked: false } });
    expect(served.mailsTo('spam+one@example.org')).toHaveLength(2);
  });

  it("keeps its human's own refusal when staff blocks it for a shorter time", async () => {
    const email = 'for-ever@example.org';
    await served.issue(email, { agentName: 'Kept' });
    const accessKey = keyIn(await served.mailTo(email));
    await served.refuse({ accessKey }, 0);
    await served.admin.blockRequests({ email, days: 1, reason: 'spam' }, { ...deskCall, requestId: randomUUID() });
    await served.admin.unblockRequests({ email, reason: 'a mistake' }, { ...deskCall, requestId: randomUUID() });
    expect(await block(email)).toMatchObject({ actor: 'human', until: undefined });
  });
});

it('the access of the agent that sent a contribution is ended by a moderator by what the contribution knows, also after a renewal', async () => {
  const email = 'sender@example.org';
  const issued = await served.issue(email, { agentName: 'Old' });
  await served.mailTo(email);
  const renewedTokenId = issued.token?.id ?? '';
  const { deviceCode } = await served.authorize(email, { agentName: 'New', renewedTokenId });
  await served.decide(codeIn(await served.mailTo(email, 2)));
  const { token } = await served.fetchToken(deviceCode);
  const authorizationId = issued.token?.authorizationId ?? '';
  const end = () => served.admin.endAgentAccess({ email, authorizationId, reason: 'spam' }, deskCall);
  await end();
  await end();
  expect(await outcomeOf(served.identity.getToken({ tokenId: token?.id ?? '' }, deskCall))).toBe('invalid_token');
  const ended = await served.mailTo(email, 'An agent can no longer act for you');
  expect(ended.mail.text?.replace(/\s+/g, ' ')).toContain('Our team ended this access');
  expect(ended.mail.text?.replace(/\s+/g, ' ')).not.toContain('go on waiting');
  expect(ended.mail.text).toMatch(/The reason:\s+> spam.*If you disagree, write to us/s);
  // Without another agent, nobody can read.
  await served.admin.blockRequests({ email, days: 0, reason: 'more spam' }, { ...deskCall, requestId: randomUUID() });
  const blocked = await served.mailTo(email, 'Agents can no longer send texts in your name');
  expect(blocked.mail.text).toMatch(/for ever\. No\s+agent can.*> more spam/s);
  expect(blocked.mail.text).not.toMatch(/Until then|can still read/);
});
