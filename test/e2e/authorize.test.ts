import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  askForAccess,
  confirmationCodeIn,
  confirmationMail,
  confirmUrl,
  consent,
  exchangeToken,
  freshEmail,
  mailsTo,
  recipients,
  sendJson,
} from '../harness/agent.js';
import { call, expectFailure } from '../harness/http.js';
import { sharedSystem } from '../harness/system.js';
import { until } from '../harness/until.js';

const system = await sharedSystem();

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('POST /api/v1/agent/authorize', () => {
  test('the same Idempotency-Key and body again are the same request: no other mail, in no limit', async () => {
    const email = freshEmail('again');
    const key = `secret ünlike ${randomUUID()}`;
    const body = { email, agent_name: 'Test Agent' };
    const headers = { 'idempotency-key': Buffer.from(key).toString('latin1') };
    const ask = (fields: object = {}, more: Record<string, string> = headers, gateway = 0) =>
      sendJson('POST', `${system.gateways[gateway]}/api/v1/agent/authorize`, { ...body, ...fields }, more);
    const first = await ask();
    const others = await Promise.all(Array.from({ length: 8 }, (_, at) => ask({}, headers, at % 2)));
    for (const { status, json } of others) expect([status, json]).toEqual([202, first.json]);
    const conflict = await ask({ agent_name: 'Other' });
    expectFailure(conflict, 409, 'idempotency_conflict');
    const short = await ask({}, { 'idempotency-key': 'x'.repeat(21) });
    expectFailure(short, 400, 'validation_error');
    expect(short.json.message).toMatch(/^Idempotency-Key: must have 22 to 128 characters: who guesses/);
    await confirmationMail(system, email);
    await askForAccess(system, email);
    await confirmationMail(system, email, 1);
    expect(mailsTo(system, email)).toHaveLength(2);
    expect((await exchangeToken(system, first.json.token_exchange.device_code)).status).toBe(202);
  });

  test.each([
    ['müller@example.org', 'email: must have no “ü” before the @: only a to z, digits and signs can stand there'],
    ['jane@exam\u00adple.jp', 'email must not contain U+00AD (soft hyphen), which nobody sees.'],
  ])('says why %j is no address', async (email, why) => {
    const refused = await sendJson('POST', `${system.url}/api/v1/agent/authorize`, { email, agent_name: 'Agent' });
    expectFailure(refused, 400, 'validation_error');
    expect(refused.json.message).toContain(why);
  });

  test('responds with 202, the pending request, the token exchange and the user code', async () => {
    const email = freshEmail('jo');
    const { answer } = await askForAccess(system, email, { purpose: 'To send stories.' });
    expect(answer.status).toBe(202);
    expect(answer.json).toEqual({
      ok: true,
      authorization: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        state: 'pending',
        email: 'j•••@example.org',
        scopes: expect.arrayContaining(['write:inquiry', 'write:story', 'write:prompt_reply']),
        expires_at: expect.any(String),
      },
      token_exchange: {
        method: 'POST',
        path: '/api/v1/agent/token',
        device_code: expect.any(String),
        interval_seconds: 5,
      },
      user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
      mail: {
        to: expect.stringMatching(/@example\.org$/),
        from: expect.stringContaining('@'),
        subject: 'An agent asks for access in your name',
        link_minutes: 30,
      },
      tell_your_human: expect.stringContaining(answer.json.user_code),
    });
    const lives = Date.parse(answer.json.authorization.expires_at) - Date.now();
    expect(lives / 3_600_000).toBeCloseTo(24, 1);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  // Mails are sent in the order of the requests. When this one arrives, all earlier mails have arrived.
  const mailOfLaterRequest = async (): Promise<string> => {
    const email = freshEmail('later');
    await askForAccess(system, email);
    await confirmationMail(system, email);
    return email;
  };

  const valid = { email: 'a@example.org', agent_name: 'Agent' };
  const wrong: [unknown, string][] = [
    [{ agent_name: 'A' }, 'email'],
    [{ email: 'a@example.org' }, 'agent_name'],
    ...[
      '',
      'a',
      'me',
      'a@b',
      '@example.org',
      'a@',
      'a b@example.org',
      'a@example.org,b@example.org',
      '"a"@example.org',
      'a@example.org (comment)',
      'Jo <a@example.org>',
      'a@example.org\r\nBcc: b@example.org',
      'a@[127.0.0.1]',
      'a@ex ämple.org',
      '-a@example.org',
      'a@example..org',
      'a@example.org;b@x.org',
      'a@-example.org',
      `${'a'.repeat(65)}@example.org`,
      `a@${'b'.repeat(260)}.org`,
      'mailto:a@example.org',
      'a@exa\u202emple.org',
    ].map((email): [unknown, string] => [{ ...valid, email }, 'email']),
    [{ ...valid, email: { $ne: null } }, 'email'],
    [{ ...valid, email: ['a@example.org'] }, 'email'],
    ...[
      '',
      ' ',
      'x'.repeat(61),
      'http://evil.example',
      '.evil',
      'a@b',
      'a/',
      'a:b',
      '<b>x</b>',
      'a\u202eb',
      'a\nb',
      'a\u0000b',
    ].map((agent_name): [unknown, string] => [{ ...valid, agent_name }, 'agent_name']),
    [{ ...valid, scopes: ['write:everything'] }, 'scopes'],
    [{ ...valid, scopes: 'write:story' }, 'scopes'],
    [{ ...valid, purpose: 'x'.repeat(501) }, 'purpose'],
    [{ ...valid, site: 'com' }, 'site'],
    [{ ...valid, extra: 1 }, 'extra'],
    [{ ...valid, __proto__x: 1 }, '__proto__x'],
  ];
  describe('with a wrong body', () => {
    let sentBefore: number;

    beforeAll(async () => {
      await mailOfLaterRequest();
      sentBefore = system.mail.mails.length;
    });

    test.each(wrong)('%j is a validation_error that names %s', async (body, field) => {
      const answer = await sendJson('POST', `${system.url}/api/v1/agent/authorize`, body);
      expectFailure(answer, 400, 'validation_error');
      expect(answer.json.message).toContain(field);
    });

    test('sends no mail', async () => {
      const later = await mailOfLaterRequest();
      // Other files of this system may still get mails, at addresses that nobody can guess.
      const fresh = /-[\da-f-]{36}@example\.org$/;
      const sentTo = system.mail.mails.slice(sentBefore).flatMap(recipients);
      expect(sentTo.filter((each) => each === later || !fresh.test(each))).toEqual([later]);
    });
  });

  test.each(["Jürgen's", 'Claude_Agent-1 (beta)+x', '名前エージェント', 'a'])(
    'the agent name %j is accepted',
    async (agent_name) => {
      const { answer } = await askForAccess(system, freshEmail(), { agent_name, purpose: null, scopes: null });
      expect(answer.status).toBe(202);
    },
  );

  test('broken JSON is invalid_body, another media type 415, an oversized body 413', async () => {
    const post = (body: string, type: string) =>
      call(`${system.url}/api/v1/agent/authorize`, { method: 'POST', body, headers: { 'content-type': type } });
    expectFailure(await post('{"email":', 'application/json'), 400, 'invalid_body');
    expectFailure(await post('', 'application/json'), 400, 'invalid_body');
    expectFailure(await post('a=b', 'text/plain'), 415, 'unsupported_media_type');
    expectFailure(await post('{}', 'application/jsonx'), 415, 'unsupported_media_type');
    expectFailure(await post('[]', 'application/json'), 400, 'validation_error');
    expectFailure(await post('null', 'application/json'), 400, 'invalid_body');
    expectFailure(
      await post(JSON.stringify({ email: 'x'.repeat(140_000) }), 'application/json'),
      413,
      'payload_too_large',
    );
  });

  test('a mailbox gets five requests an hour, ignoring plus-tag and case; then 429 and no mail', async () => {
    const name = randomUUID();
    for (let at = 0; at < 5; at += 1)
      expect(
        (await askForAccess(system, `${at % 2 ? name : name.toUpperCase()}+${at}@example.org`)).answer.status,
      ).toBe(202);
    await until(
      'five mails',
      () => system.mail.mails.filter((mail) => JSON.stringify(mail.to).toLowerCase().includes(name)).length === 5,
    );
    expectFailure((await askForAccess(system, `${name}@example.org`)).answer, 429, 'rate_limited');
    await mailOfLaterRequest();
    expect(system.mail.mails.filter((mail) => JSON.stringify(mail.to).toLowerCase().includes(name))).toHaveLength(5);
  });
});

test.each([
  [(name: string) => `${name}@bücher.example`, '@xn--bcher-kva.example'],
  [(name: string) => ` ${name}%b|c\`@example.org\n`, '%b|c`@example.org'],
])('takes an address as people write it: %s', async (addressOf, end) => {
  const name = freshEmail().split('@')[0] ?? '';
  const { answer } = await askForAccess(system, addressOf(name));
  expect(answer.status).toBe(202);
  expect((answer.json as { mail: { to: string } }).mail.to).toBe(name + end);
  await until('the mail', () => system.mail.mails.some(({ to }) => JSON.stringify(to).includes(name)));
});

test('the mail names the agent and scopes, shows the user code, links to the confirm page and explains how to decline, without the purpose', async () => {
  const email = freshEmail();
  const { userCode } = await askForAccess(system, email, {
    agent_name: 'Nice Agent',
    purpose: 'A very special purpose',
    scopes: ['write:story'],
  });
  const mail = await confirmationMail(system, email);
  for (const part of [mail.text ?? '', String(mail.html)]) {
    expect(part).toContain('Nice Agent');
    expect(part).toContain(userCode);
    expect(part).toContain(`${system.url}/api/v1/agent/authorize/confirm?code=`);
    expect(part).toMatch(/choose no/i);
    expect(part).toMatch(/stor(y|ies)/i);
    expect(part).not.toContain('special purpose');
  }
  expect(mail.messageId).toMatch(/^<[^>]+@[^>]+>$/);
  expect(mail.from?.value[0]?.address).toBe('knowledge@example.org');
  expect(mailsTo(system, email)).toHaveLength(1);
});

describe('confirming', () => {
  test('GET, HEAD and OPTIONS change nothing, even if repeated', async () => {
    const email = freshEmail();
    const { deviceCode } = await askForAccess(system, email, { purpose: '<script>alert(1)</script>' });
    const url = confirmUrl(system, await confirmationMail(system, email));
    for (let at = 0; at < 20; at += 1) {
      for (const method of ['GET', 'HEAD', 'OPTIONS']) expect((await call(url, { method })).status).toBeLessThan(300);
    }
    const { json } = await call(url);
    expect(json).toMatchObject({
      ok: true,
      authorization: { state: 'pending' },
      message: expect.stringContaining('for the human'),
    });
    expect(json).not.toHaveProperty('confirm');
    expect((await exchangeToken(system, deviceCode)).status).toBe(202);
    const page = await call(url, { headers: { accept: 'text/html,application/xhtml+xml' } });
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.text).toMatch(/<button[^>]*>Yes, let it act for me</);
    expect(page.text).toMatch(/<button[^>]*>No</);
    expect(page.text).not.toContain('<script>alert');
    expect(page.text).toContain('&lt;script&gt;');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('x-robots-tag')).toBe('noindex');
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(page.text).not.toMatch(/(src|href)="https?:\/\/(?!127\.0\.0\.1)/);
  });

  test('POST confirms; repeating it shows the result; there is only one token, and a decline ends it', async () => {
    const email = freshEmail();
    const { deviceCode } = await askForAccess(system, email);
    const url = confirmUrl(system, await confirmationMail(system, email));
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        sendJson('POST', url.replace(system.url, system.gateways[at % 2] ?? ''), { decision: 'confirm' }),
      ),
    );
    for (const { status, json } of answers) expect([status, json.authorization.state]).toEqual([200, 'confirmed']);
    const tokens = await Promise.all(Array.from({ length: 10 }, (_, at) => exchangeToken(system, deviceCode, at % 2)));
    expect(new Set(tokens.map(({ json }) => json.token)).size).toBe(1);
    expect(tokens[0]?.json).toEqual({
      ok: true,
      state: 'issued',
      token: expect.stringMatching(/^cks_[0-9A-Za-z]{49}$/),
      token_type: 'Bearer',
      scopes: expect.any(Array),
      sites: ['io', 'org'],
      email,
      expires_at: expect.any(String),
    });
    expect((Date.parse(tokens[0]?.json.expires_at) - Date.now()) / 86_400_000).toBeCloseTo(180, 1);
    expect((await call(url)).json.authorization).toMatchObject({ state: 'issued', access_until: expect.any(String) });
    expect((await sendJson('POST', url, { decision: 'decline' })).json.authorization.state).toBe('revoked');
    const late = await exchangeToken(system, deviceCode);
    expectFailure(late, 400, 'invalid_or_expired_code');
    expect(late.json.message).toMatch(/^This access was ended after the yes/);
    const headers = bearer(tokens[0]?.json.token);
    await until('the token to be refused', async () => {
      return (await call(`${system.url}/api/v1/agent/token`, { headers })).status === 401;
    });
  });

  test('declining is final: authorization_denied at the exchange', async () => {
    const email = freshEmail();
    const { deviceCode } = await askForAccess(system, email);
    const url = confirmUrl(system, await confirmationMail(system, email));
    const answer = await call(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
      body: 'decision=decline',
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    expectFailure(await exchangeToken(system, deviceCode), 403, 'authorization_denied');
    expectFailure(await sendJson('POST', url, { decision: 'confirm' }), 409, 'invalid_state');
  });

  test('no code gives missing_code, an unknown one invalid_or_expired_code; pages have the same status', async () => {
    const base = `${system.url}/api/v1/agent/authorize/confirm`;
    for (const method of ['GET', 'POST']) {
      expectFailure(await call(base, { method }), 400, 'missing_code');
      expectFailure(await call(`${base}?code=`, { method }), 400, 'missing_code');
      for (const code of [
        'x',
        randomUUID(),
        `${randomUUID()}.${'a'.repeat(43)}`,
        '%7B%22$ne%22:null%7D',
        'x'.repeat(2_000),
        '%00',
        `${randomUUID()}.${'a'.repeat(42)}%00`,
        '%F0%9F%98%80&code=x',
      ]) {
        expectFailure(await call(`${base}?code=${code}`, { method }), 400, 'invalid_or_expired_code');
        const shown = await call(`${base}?code=${code}`, { method, headers: { accept: 'text/html' } });
        expect([shown.status, shown.text.includes('This link does not work')]).toEqual([400, true]);
      }
    }
    const lost = await call(`${system.url}/access?key=%00`);
    expect([lost.status, lost.text.includes('This link has ended')]).toEqual([404, true]);
    const page = await call(`${base}?code=x`, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([400, expect.stringMatching(/^text\/html/)]);
  });

  test('another decision value is a validation_error', async () => {
    const email = freshEmail();
    await askForAccess(system, email);
    const url = confirmUrl(system, await confirmationMail(system, email));
    expectFailure(await sendJson('POST', url, { decision: 'maybe' }), 400, 'validation_error');
    expect((await call(url)).json.authorization.state).toBe('pending');
  });
});

describe('renewing, and the link to the access page', () => {
  test('a valid token renews for its own mailbox; a bad one gets 401', async () => {
    const { token, email } = await consent(system, freshEmail());
    const ask = (address: string, bearerToken: string) =>
      sendJson(
        'POST',
        `${system.url}/api/v1/agent/authorize`,
        { email: address, agent_name: 'Agent 2.0' },
        bearer(bearerToken),
      );
    expectFailure(await ask(freshEmail(), token), 400, 'validation_error');
    expectFailure(await ask(email, 'cks_x'), 401, 'invalid_token');
    const { status, json } = await ask(email, token);
    expect(status).toBe(202);
    const mail = await until('the mail of the renewal', () =>
      mailsTo(system, email).find(({ text }) => text?.replace(/\s+/g, ' ').includes('it renews the access')),
    );
    await sendJson('POST', confirmUrl(system, mail), {});
    const renewed = await exchangeToken(system, json.token_exchange.device_code);
    expect(renewed.status).toBe(200);
    await until('the old token to be refused', async () => {
      return (await call(`${system.url}/api/v1/agent/token`, { headers: bearer(token) })).status === 401;
    });
  });

  test('/access without a key shows a form with the same response for every address', async () => {
    const lost = await call(`${system.url}/access`, { headers: { accept: 'text/html' } });
    expect([lost.status, lost.text.includes('action="access/link"')]).toEqual([200, true]);
    expect(lost.text).not.toContain('has ended');
    const moved = await fetch(`${system.url}/access/?key=x`, { redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([308, '../access?key=x']);
    // A program gets its answer there.
    expect((await call(`${system.url}/api/v1/agent/authorize/confirm/?code=x`)).json.ok).toBe(false);
    const post = (body: string) =>
      call(`${system.url}/access/link`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
      });
    const { email } = await consent(system, freshEmail());
    const links = () => mailsTo(system, email).filter(({ subject }) => subject === 'The link to your own page');
    const [, key] = /name="form_key" value="([^"]+)"/.exec(lost.text) ?? [];
    const form = `email=${encodeURIComponent(email)}&form_key=${key}`;
    // Pressed twice, the form sends one mail.
    for (const _press of [1, 2]) expect((await post(form)).status).toBe(202);
    expect((await post(`email=${encodeURIComponent(email)}`)).status).toBe(202);
    expect((await post('email=nobody-here%40example.org')).status).toBe(202);
    expect((await post('email=nonsense')).status).toBe(400);
    const foreign = await post(`email=${encodeURIComponent('müller@example.org')}`);
    expect([foreign.status, foreign.text.includes('The address must have no “ü” before the @')]).toEqual([400, true]);
    await until('both mails with a link', () => links().length >= 2);
    expect(links()).toHaveLength(2);
  });
});

describe('the token exchange', () => {
  test('polls get "pending", then "too early", but never "too early" after the decision', async () => {
    const email = freshEmail();
    const { deviceCode } = await askForAccess(system, email);
    const first = await exchangeToken(system, deviceCode);
    expect([first.status, first.json]).toEqual([
      202,
      { ok: true, state: 'pending', interval_seconds: 5, expires_at: expect.any(String), message: expect.any(String) },
    ]);
    expectFailure(await exchangeToken(system, deviceCode), 429, 'rate_limited');
    await sendJson('POST', confirmUrl(system, await confirmationMail(system, email)), {});
    expect((await exchangeToken(system, deviceCode)).status).toBe(200);
    expect((await exchangeToken(system, deviceCode)).status).toBe(200);
  });

  test('device codes and confirmation codes cannot replace each other, and work for one request only', async () => {
    const email = freshEmail();
    const first = await askForAccess(system, email);
    const second = await askForAccess(system, email);
    const code = confirmationCodeIn(await confirmationMail(system, email)) ?? '';
    expectFailure(await exchangeToken(system, code), 400, 'invalid_or_expired_code');
    expectFailure(
      await sendJson('POST', `${system.url}/api/v1/agent/authorize/confirm?code=${first.deviceCode}`, {}),
      400,
      'invalid_or_expired_code',
    );
    const [id] = first.deviceCode.split('.');
    const [, secret] = second.deviceCode.split('.');
    const mixed = await exchangeToken(system, `${id}.${secret}`);
    expectFailure(mixed, 400, 'invalid_or_expired_code');
    expect(mixed.json.message).toMatch(/Else it was changed: send it as it came\.$/);
    const cut = await exchangeToken(system, first.deviceCode.slice(0, -1));
    expectFailure(cut, 400, 'invalid_or_expired_code');
    expect(cut.json.message).toMatch(/^This is no whole device_code.*not affected\.$/);
    for (const device_code of ['', 'x', 1, null, { $ne: null }, 'x'.repeat(5_000)]) {
      const answer = await sendJson('POST', `${system.url}/api/v1/agent/token`, { device_code });
      expect([400]).toContain(answer.status);
    }
  });
});

describe('the token', () => {
  test('can be described, reads ten articles a day, and can be revoked by its agent', async () => {
    const { token, email } = await consent(system, freshEmail(), { scopes: ['write:story'] });
    const url = `${system.url}/api/v1/agent/token`;
    const { json } = await call(url, { headers: bearer(token) });
    expect(json).toEqual({
      ok: true,
      token: {
        id: expect.any(String),
        agent_name: 'Test Agent',
        email,
        scopes: ['write:story'],
        sites: ['io', 'org'],
        created_at: expect.any(String),
        expires_at: expect.any(String),
        last_used_at: expect.toBeOneOf([null, expect.any(String)]),
      },
    });
    const revoked = await call(url, { method: 'DELETE', headers: bearer(token) });
    expect([revoked.status, revoked.json]).toEqual([200, { ok: true, revoked_at: expect.any(String) }]);
    for (const gateway of system.gateways) {
      await until(
        'the token to be refused',
        async () => (await call(`${gateway}/api/v1/agent/token`, { headers: bearer(token) })).status === 401,
        5_000,
      );
    }
    expectFailure(await call(url), 401, 'missing_token');
  });

  test('the access page lists and revokes grants; GET changes nothing', async () => {
    const { token, email } = await consent(system);
    const mail = await until('a mail with the own link', () =>
      mailsTo(system, email).find(({ text }) => text?.includes('/access?key=')),
    );
    const key = /\/access\?key=([^\s&"<>]+)/.exec(mail.text ?? '')?.[1];
    const url = `${system.url}/access?key=${key}`;
    for (let at = 0; at < 3; at += 1) {
      const page = await call(url, { headers: { accept: 'text/html' } });
      expect(page.status).toBe(200);
      expect(page.text).toContain('Test Agent');
      expect(page.text).not.toContain(token);
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
      expect(page.headers.get('cache-control')).toBe('no-store');
    }
    expect((await call(`${system.url}/api/v1/agent/token`, { headers: bearer(token) })).status).toBe(200);
    const id = (await call(`${system.url}/api/v1/agent/token`, { headers: bearer(token) })).json.token.id;
    const form = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    };
    expect((await call(url, { ...form, body: `id=${id}` })).status).toBeLessThan(400);
    await until(
      'the token to be refused',
      async () => (await call(`${system.url}/api/v1/agent/token`, { headers: bearer(token) })).status === 401,
      5_000,
    );
    const unknown = await call(url, { ...form, body: 'id=00000000-0000-4000-8000-000000000000' });
    expect([unknown.status, unknown.text.includes('There is no such access on this page')]).toEqual([400, true]);
    const plain = await call(url, { ...form, headers: { ...form.headers, 'content-type': 'text/plain' }, body: 'id=' });
    expect([plain.status, plain.text.includes('Send it as application/x-www-form-urlencoded or')]).toEqual([415, true]);
    expect((await call(`${system.url}/access?key=wrong`, { headers: { accept: 'text/html' } })).status).toBe(404);
    const ended = await call(url.replace('/access?', '/access/links?'), { ...form, body: '' });
    expect([ended.status, ended.text.includes('Earlier links are useless now')]).toEqual([200, true]);
    expect((await call(url, { headers: { accept: 'text/html' } })).status).toBe(404);
  });
});
