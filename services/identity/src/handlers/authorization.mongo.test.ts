import { randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { AuthorizationState, Decision, Scope } from '@knowledge/proto/knowledge/identity/v1/identity';
import { hasCode, isTokenSecret, type KnowledgeError } from '@knowledge/runtime';
import { describe, expect, it, vi } from 'vitest';
import { codeIn, deskCall, keyIn, refusalOf, serveIdentity } from '../testing/serve.js';

let person = 0;
const served = await serveIdentity('authorization');

const someone = () => `person${++person}@example.org`;
const minutes = (count: number) => count * 60_000;
const { decide: confirm, poll, fetchToken: issued } = served;
const resolved = async (token: string) => (await served.resolve(token))?.$case;
const record = async (id = '') => {
  const { authorization } = await served.admin.getAuthorizationRecord({ id }, deskCall);
  if (authorization === undefined) throw new Error('no record');
  return authorization;
};

describe('requesting an authorization', () => {
  it('responds with a pending authorization and mails the human', async () => {
    const email = someone();
    const { authorization, deviceCode, userCode, intervalSeconds } = await served.authorize(email.toUpperCase());
    expect(authorization).toMatchObject({
      state: AuthorizationState.PENDING,
      maskedEmail: 'p•••@example.org',
      agentName: 'Atlas',
      scopes: [Scope.WRITE_INQUIRY, Scope.WRITE_STORY, Scope.WRITE_PROMPT_REPLY],
      site: Site.ORG,
    });
    expect(Number(authorization?.expiresAt) - Number(authorization?.createdAt)).toBe(minutes(24 * 60));
    expect(deviceCode).toMatch(/^[0-9a-f-]{36}\.[A-Za-z0-9_-]{43}$/);
    expect(userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(intervalSeconds).toBe(5);

    const { mail, to, from } = await served.mailTo(email);
    expect({ to, from }).toEqual({ to: [email], from: 'no-reply@knowledge.example' });
    expect(mail.subject).toBe('An agent asks for access in your name');
    for (const part of [mail.text, mail.html || '']) {
      expect(part).toContain('Atlas');
      expect(part).toContain(userCode);
      expect(part).toContain('UTC');
      expect(part).toContain('choose No');
      expect(part).not.toContain('rollout');
    }
    const links = [...(mail.text ?? '').matchAll(/https?:\/\/\S+\/api\/\S+/g)].map(([url]) => url);
    expect(links).toEqual([
      expect.stringMatching(/^https:\/\/knowledge\.example\/org\/api\/v1\/agent\/authorize\/confirm\?code=/),
    ]);
  });

  it('describes the rights of a token without scopes, and links to the site of the request', async () => {
    const { authorization, mail } = await served.ask(someone(), { scopes: [], site: Site.IO });
    expect(authorization?.scopes).toEqual([]);
    expect(mail.mail.text).toContain('read up to 10 articles a day as you, and nothing else');
    expect(mail.mail.text).toContain('https://io.knowledge.example/api/v1/agent/authorize/confirm?code=');
  });

  it('treats requests with one key as one: one device code, one mail and one token', async () => {
    const email = someone();
    const requestKey = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => served.authorize(email, { requestKey })));
    expect(new Set(answers.map(({ authorization }) => authorization?.id)).size).toBe(1);
    expect(new Set(answers.map(({ userCode }) => userCode)).size).toBe(1);
    expect(new Set(answers.map(({ deviceCode }) => deviceCode)).size).toBe(1);
    await confirm(codeIn(await served.mailTo(email)));
    const tokens = await Promise.all(answers.map(({ deviceCode }) => issued(deviceCode)));
    expect(new Set(tokens.map(({ secret }) => secret)).size).toBe(1);
    expect(await served.tokensOf(email)).toHaveLength(1);
    const other = served.authorize(email, { requestKey, agentName: 'Other' });
    expect(hasCode(await refusalOf(other), 'idempotency_conflict')).toBe(true);
  });

  it.each([
    ...[{ email: 'a@example.org,b@example.org' }, { email: 'a@example.org\nBcc: b@example.org' }],
    ...[{ agentName: 'https://evil.example' }, { purpose: 'x'.repeat(501) }, { scopes: [Scope.UNSPECIFIED] }],
    ...[{ site: Site.UNSPECIFIED }, { requestKey: 'mine' }],
  ])('refuses %j and sends nothing', async (changes) => {
    const email = someone();
    expect(await refusalOf(served.authorize(email, changes))).toMatchObject({ code: 'validation_error' });
    // Mails of the tests before may still arrive.
    const own = [email, 'a@example.org', 'b@example.org'];
    expect(served.sink.mails.filter(({ to }) => to.some((each) => own.includes(each)))).toEqual([]);
  });

  it('sends at most 5 mails an hour to a mailbox and its plus-tags, even for parallel requests', async () => {
    const email = someone();
    const asked = Array.from({ length: 20 }, (_, at) =>
      served.authorize(at % 2 ? email.toUpperCase() : email.replace('@', `+${at}@`)),
    );
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as KnowledgeError] : [],
    );
    for (const error of refused) {
      expect(error.code).toBe('rate_limited');
      expect(error.retryAfterSeconds).toBeGreaterThan(0);
    }
    const name = email.slice(0, email.indexOf('@'));
    const sent = () =>
      served.sink.mails.filter(({ to }) => to[0]?.startsWith(`${name}@`) || to[0]?.startsWith(`${name}+`));
    await vi.waitFor(() => expect(sent()).toHaveLength(5), 5000);
  });
});

describe('deciding', () => {
  it('shows the request repeatedly without changing it', async () => {
    const { email, authorization, code } = await served.ask(someone());
    await vi.waitFor(async () => expect((await record(authorization?.id)).mails[0]?.state).toBe('sent'));
    const kept = () => served.db.collection('authorizations').findOne({ email }, { projection: { logSince: 0 } });
    const before = await kept();
    for (let at = 0; at < 20; at++) {
      const shown = await served.shown(code);
      expect(shown).toMatchObject({
        email,
        userCodeRequired: false,
        authorization: { state: AuthorizationState.PENDING, purpose: 'To tell of our rollout' },
      });
    }
    expect(await kept()).toEqual(before);
  });

  it('confirms once for 20 parallel confirmations, and only the first gets the access key', async () => {
    const { email, authorization, deviceCode, code } = await served.ask(someone());
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(code)));
    expect(new Set(answers.map((answer) => answer.authorization?.state))).toEqual(
      new Set([AuthorizationState.CONFIRMED]),
    );
    expect(answers.filter(({ accessKey }) => accessKey !== '')).toHaveLength(1);
    const { history } = await record(authorization?.id);
    expect(history.map(({ toState, actor }) => `${toState} by ${actor}`)).toEqual([
      'pending by agent',
      'confirmed by human',
    ]);
    const tokens = await Promise.all(Array.from({ length: 20 }, () => issued(deviceCode)));
    expect(new Set(tokens.map(({ secret }) => secret)).size).toBe(1);
    expect(await served.tokensOf(email)).toHaveLength(1);
    await served.mailTo(email, 2);
    expect((await served.shown(code)).authorization?.state).toBe(AuthorizationState.ISSUED);
    expect((await confirm(code)).authorization?.state).toBe(AuthorizationState.ISSUED);
  });

  it('leaves no access after a simultaneous confirmation and decline', async () => {
    for (let round = 0; round < 5; round++) {
      const { code } = await served.ask(someone());
      const outcomes = await Promise.allSettled([confirm(code), confirm(code, Decision.DECLINE)]);
      const [yes, no] = outcomes;
      if (yes?.status === 'rejected') expect(yes.reason).toMatchObject({ code: 'invalid_state' });
      expect(no?.status).toBe('fulfilled');
      const { authorization } = await served.shown(code);
      expect([AuthorizationState.DECLINED, AuthorizationState.REVOKED]).toContain(authorization?.state);
    }
  });

  it('declines repeatedly, and the agent gets no token', async () => {
    const { deviceCode, code } = await served.ask(someone());
    expect((await confirm(code, Decision.DECLINE)).authorization?.state).toBe(AuthorizationState.DECLINED);
    expect(await confirm(code, Decision.DECLINE)).toMatchObject({ accessKey: '' });
    expect(await refusalOf(confirm(code))).toMatchObject({ code: 'invalid_state' });
    expect(await refusalOf(poll(deviceCode))).toMatchObject({ code: 'authorization_denied' });
  });

  it('refuses malformed and unknown codes with the same error', async () => {
    const { deviceCode, code } = await served.ask(someone());
    const otherEnd = `${code.slice(0, 79)}${code.endsWith('A') ? 'B' : 'A'}`;
    for (const each of ['', 'x', deviceCode, otherEnd, `${randomUUID()}${code.slice(36)}`]) {
      const error = await refusalOf(served.shown(each));
      expect(error).toMatchObject({ code: 'invalid_or_expired_code', metadata: undefined });
      expect(await refusalOf(confirm(each))).toMatchObject({ code: 'invalid_or_expired_code' });
    }
    expect(await refusalOf(confirm(code, Decision.UNSPECIFIED))).toMatchObject({ code: 'validation_error' });
    expect(await refusalOf(poll(code))).toMatchObject({ code: 'invalid_or_expired_code' });
  });

  it('expires a code 30 minutes after its mail, and only then sends a new link', async () => {
    const { email, authorization, code: old } = await served.ask(someone());
    await vi.waitFor(async () => expect((await record(authorization?.id)).mails[0]?.state).toBe('sent'));
    const resend = (code: string) => served.identity.resendConfirmation({ code, clientAddress: '' }, deskCall);
    expect(await refusalOf(resend(old))).toMatchObject({ code: 'invalid_or_expired_code' });
    served.clock.forward(minutes(29));
    await served.shown(old);
    served.clock.forward(minutes(1) + 1000);
    expect(await served.shown(old)).toMatchObject({ canDecide: false, canResend: true, email: 'p•••@example.org' });
    expect(await refusalOf(confirm(old))).toMatchObject({ metadata: { resend: 'true' } });
    const other = await served.ask(someone());
    served.clock.forward(minutes(31));
    const declined = { id: other.id, state: AuthorizationState.DECLINED };
    expect(await confirm(other.code, Decision.DECLINE)).toMatchObject({ authorization: declined });
    expect(await resend(old)).toEqual({ maskedEmail: 'p•••@example.org' });
    const fresh = codeIn(await served.mailTo(email, 2));
    // Repeating the call after a lost response sends no second mail.
    expect(await resend(old)).toEqual({ maskedEmail: 'p•••@example.org' });
    expect((await record(authorization?.id)).mails).toHaveLength(2);
    expect(fresh).not.toBe(old);
    expect((await confirm(fresh)).authorization?.state).toBe(AuthorizationState.CONFIRMED);
    const decided = { authorization: { state: AuthorizationState.CONFIRMED }, accessUntil: expect.any(Date) };
    expect(await served.shown(old)).toMatchObject({ ...decided, canDecide: false, canResend: false });
    expect(await refusalOf(resend(old))).toMatchObject({ code: 'invalid_or_expired_code' });
  });

  it('ends a request after 24 hours', async () => {
    const { authorization, deviceCode, code } = await served.ask(someone());
    served.clock.forward(minutes(24 * 60));
    const { EXPIRED: state } = AuthorizationState;
    const ended = { endedBy: 'system', endedAt: authorization?.expiresAt };
    expect(await served.shown(code)).toMatchObject({ ...ended, authorization: { state } });
    expect(await refusalOf(confirm(code))).toMatchObject({ code: 'invalid_or_expired_code', metadata: undefined });
    expect(await refusalOf(poll(deviceCode))).toMatchObject({ code: 'invalid_or_expired_code' });
    expect((await record(authorization?.id)).authorization?.state).toBe(AuthorizationState.EXPIRED);
    const last = async () => (await record(authorization?.id)).history.at(-1);
    await vi.waitFor(async () => expect(await last()).toMatchObject({ toState: 'expired', actor: 'system' }), 10_000);
  });
});

describe('fetching the token', () => {
  it('gives one that ends on the date that mail and page showed, however late the human and the agent are', async () => {
    const { email, authorization, deviceCode, code, mail: asked } = await served.ask(someone());
    const end = new Date(Number(authorization?.createdAt) + minutes(180 * 24 * 60));
    const words = `${end.toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' })} (UTC)`;
    served.clock.forward(minutes(29));
    expect(await confirm(code)).toMatchObject({ accessUntil: end });
    const welcome = await served.mailTo(email, 2);
    for (const { mail } of [asked, welcome]) expect(mail.text?.replace(/\s+/g, ' ')).toContain(words);
    served.clock.forward(minutes(23 * 60 + 30));
    expect((await issued(deviceCode)).token?.expiresAt).toEqual(end);
    expect((await served.shown(code)).accessUntil).toEqual(end);
  });

  it('responds to polls at the interval and refuses faster ones', async () => {
    const { deviceCode, authorization } = await served.authorize(someone());
    const pending = { $case: 'pending', value: { intervalSeconds: 5, expiresAt: authorization?.expiresAt } };
    expect(await poll(deviceCode)).toEqual(pending);
    const early = await refusalOf(poll(deviceCode));
    expect(early).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 5 });
    served.clock.forward(5000);
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => poll(deviceCode)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('returns the token after the decision, again for 10 minutes, and never later', async () => {
    const email = someone();
    const { deviceCode, authorization } = await served.authorize(email);
    await poll(deviceCode);
    await confirm(codeIn(await served.mailTo(email)));
    const first = await issued(deviceCode);
    expect(isTokenSecret(first.secret)).toBe(true);
    expect(first.token).toMatchObject({ email, agentName: 'Atlas' });
    expect(await resolved(first.secret)).toBe('principal');
    served.clock.forward(minutes(9));
    expect(await issued(deviceCode)).toEqual(first);
    served.clock.forward(minutes(1) + 1000);
    expect(await refusalOf(poll(deviceCode))).toMatchObject({ code: 'invalid_or_expired_code' });
    const kept = () => served.db.collection('authorizations').findOne({ email });
    await vi.waitFor(async () => expect((await kept())?.grant.salt).toBeNull(), 10_000);
    expect(await resolved(first.secret)).toBe('principal');
    expect((await record(authorization?.id)).tokenId).toBe(first.token?.id);
  });

  it('never returns the token to another device code', async () => {
    const mine = await served.ask(someone());
    const theirs = await served.authorize(someone());
    await confirm(mine.code);
    const mixed = `${mine.deviceCode.slice(0, 36)}${theirs.deviceCode.slice(36)}`;
    expect(await refusalOf(poll(mixed))).toMatchObject({ code: 'invalid_or_expired_code' });
    expect(await poll(theirs.deviceCode)).toMatchObject({ $case: 'pending' });
    await issued(mine.deviceCode);
  });
});

describe('tokens and the access page', () => {
  const granted = async () => {
    const asked = await served.ask(someone());
    return { ...asked, accessKey: (await confirm(asked.code)).accessKey };
  };

  it('describes and revokes the caller’s own token, which cannot be fetched again', async () => {
    const { deviceCode, id } = await granted();
    const { secret, token } = await issued(deviceCode);
    const tokenId = token?.id ?? '';
    expect((await served.identity.getToken({ tokenId }, deskCall)).token).toEqual(token);
    const { revokedAt } = await served.identity.revokeToken({ tokenId }, deskCall);
    expect((await served.identity.revokeToken({ tokenId }, deskCall)).revokedAt).toEqual(revokedAt);
    expect(await resolved(secret)).toBe('error');
    expect(await refusalOf(poll(deviceCode))).toMatchObject({ code: 'invalid_or_expired_code' });
    expect(await refusalOf(served.identity.getToken({ tokenId }, deskCall))).toMatchObject({ code: 'invalid_token' });
    expect((await record(id)).authorization?.state).toBe(AuthorizationState.REVOKED);
    expect((await served.db.collection('authorizations').findOne({ 'grant.tokenId': tokenId }))?.grant.salt).toBeNull();
  });

  it('mails the human the access link, which shows and ends their grants', async () => {
    const { email, deviceCode, accessKey } = await granted();
    const { secret, token } = await issued(deviceCode);
    const mail = await served.mailTo(email, 2);
    expect(mail.mail.subject).toBe('You gave an agent access in your name');
    for (const key of [accessKey, keyIn(mail)]) {
      const shown = await served.access(key);
      expect(shown).toMatchObject({ email, tokens: [{ id: token?.id }], authorizations: [] });
    }
    const { id, authorizationId } = token;
    const ended = { revoked: 1, authorizationIds: [authorizationId] };
    expect(await served.endAccess(accessKey, id)).toMatchObject(ended);
    expect(await served.endAccess(accessKey, id)).toMatchObject({ revoked: 0, authorizationIds: [] });
    expect(await resolved(secret)).toBe('error');
    const after = await served.access(keyIn(mail));
    expect(after.tokens[0]?.revokedAt).toBeInstanceOf(Date);
  });

  it('ends one grant before its token was fetched, and all grants together', async () => {
    const { email, deviceCode, accessKey, id } = await granted();
    const waiting = await served.access(accessKey);
    expect(waiting.authorizations.map((each) => each.id)).toEqual([id]);
    const { secret } = await served.grant(email, {}, 3);
    const third = await served.authorize(email);
    expect(await served.endAccess(accessKey)).toMatchObject({ revoked: 2, declined: 1 });
    const stopped = await served.access(accessKey);
    expect(stopped.unusedAuthorizations.map((each) => each.id)).toEqual([id]);
    expect(stopped.authorizations).toEqual([]);
    expect(await refusalOf(poll(third.deviceCode))).toMatchObject({ code: 'authorization_denied' });
    expect(await refusalOf(poll(deviceCode))).toMatchObject({ code: 'invalid_or_expired_code' });
    expect(await resolved(secret)).toBe('error');
  });

  it('issues no token if the grant ends while the agent fetches the token', async () => {
    for (let round = 0; round < 5; round++) {
      const { deviceCode, accessKey } = await granted();
      const [fetched] = await Promise.allSettled([issued(deviceCode), served.endAccess(accessKey)]);
      await served.endAccess(accessKey);
      if (fetched.status === 'fulfilled') expect(await resolved(fetched.value.secret)).toBe('error');
      expect(await refusalOf(poll(deviceCode))).toMatchObject({ code: 'invalid_or_expired_code' });
    }
  });

  it('shows nothing for a wrong key, and nothing of another person', async () => {
    const [mine, theirs] = [await granted(), await granted()];
    const { token } = await issued(theirs.deviceCode);
    const refused = { code: 'validation_error', message: 'There is no such access on this page.' };
    expect(await refusalOf(served.endAccess(mine.accessKey, token.id))).toMatchObject(refused);
    for (const accessKey of ['', 'x', mine.deviceCode, `${mine.id}${theirs.accessKey.slice(36)}`]) {
      expect(await refusalOf(served.access(accessKey))).toMatchObject({ code: 'not_found' });
    }
  });
});

it('stores no secret: the database contains no code, device code, key or token', async () => {
  const { email, deviceCode, code } = await served.ask(someone());
  const { accessKey } = await confirm(code);
  const { secret } = await issued(deviceCode);
  const mailedKey = keyIn(await served.mailTo(email, 2));
  const collections = await served.db.collections();
  const dump = JSON.stringify(await Promise.all(collections.map((each) => each.find().toArray())));
  expect(dump).toContain(email);
  for (const each of [code, deviceCode, accessKey, mailedKey]) expect(dump).not.toContain(each.slice(37));
  expect(dump).not.toContain(secret.slice(4, 40));
});
