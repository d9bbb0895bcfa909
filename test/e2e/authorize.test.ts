import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  accessPageLink,
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
  submitForm,
  untilRefused,
} from '../harness/agent.js';
import { bearer, browser, call, expectFailure, expectPage } from '../harness/http.js';
import { sharedSystem } from '../harness/system.js';
import { until } from '../harness/until.js';

const system = await sharedSystem();
const authorize = `${system.url}/api/v1/agent/authorize`;

describe('POST /api/v1/agent/authorize', () => {
  test('the same Idempotency-Key and body again are the same request: no other mail, in no limit', async () => {
    const email = freshEmail('again');
    const key = `secret ünlike ${randomUUID()}`;
    const body = { email, agent_name: 'Test Agent' };
    const headers = { 'idempotency-key': Buffer.from(key).toString('latin1') };
    const ask = (fields: object = {}, more: Record<string, string> = headers, gateway = 0) =>
      sendJson('POST', `${system.gateways[gateway]}/api/v1/agent/authorize`, { ...body, ...fields }, more);
    const first = await ask();
    expect(first.headers.get('cache-control')).toBe('no-store');
    const others = await Promise.all(Array.from({ length: 8 }, (_, at) => ask({}, headers, at % 2)));
    for (const { status, json } of others) expect([status, json]).toEqual([202, first.json]);
    expectFailure(await ask({ agent_name: 'Other' }), 409, 'idempotency_conflict');
    const short = await ask({}, { 'idempotency-key': 'x'.repeat(21) });
    expectFailure(short, 400, 'validation_error', /^Idempotency-Key: must have 22 to 128 characters: who guesses/);
    const mail = await confirmationMail(system, email);
    await askForAccess(system, email);
    await confirmationMail(system, email, 1);
    expect(mailsTo(system, email)).toHaveLength(2);
    expect((await exchangeToken(system, first.json.token_exchange.device_code)).status).toBe(202);
    await sendJson('POST', confirmUrl(system, mail), { decision: 'decline' });
    const { authorization, tell_your_human: say } = (await ask()).json;
    expect([authorization.state, say]).toEqual([
      'declined',
      expect.stringMatching(/ is declined\. You have nothing left/),
    ]);
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
    [{ ...valid, email: 'a@example.org\r\nBcc: b@example.org' }, 'email'],
    [{ ...valid, email: { $ne: null } }, 'email'],
    [{ ...valid, email: ['a@example.org'] }, 'email'],
    [{ ...valid, agent_name: 'http://evil.example' }, 'agent_name'],
    [{ ...valid, agent_name: 'a\u202eb' }, 'agent_name'],
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
      expectFailure(await sendJson('POST', authorize, body), 400, 'validation_error', field);
    });

    test('sends no mail', async () => {
      const later = await mailOfLaterRequest();
      // Other files of this system may still get mails, at addresses that nobody can guess.
      const fresh = /-[\da-f-]{36}@example\.org$/;
      const sentTo = system.mail.mails.slice(sentBefore).flatMap(recipients);
      expect(sentTo.filter((each) => each === later || !fresh.test(each))).toEqual([later]);
    });
  });

  test('a media type that only begins like JSON is none', async () => {
    const init = { method: 'POST', body: '{}', headers: { 'content-type': 'application/jsonx' } };
    expectFailure(await call(authorize, init), 415, 'unsupported_media_type');
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

describe('confirming', () => {
  const requested = async (fields: Record<string, unknown> = {}) => {
    const email = freshEmail();
    const { deviceCode } = await askForAccess(system, email, fields);
    return { email, deviceCode, url: confirmUrl(system, await confirmationMail(system, email)) };
  };

  test('GET, HEAD and OPTIONS change nothing, even if repeated', async () => {
    const { url, deviceCode } = await requested({ purpose: '<script>alert(1)</script>' });
    for (let at = 0; at < 20; at += 1) {
      for (const method of ['GET', 'HEAD', 'OPTIONS']) expect((await call(url, { method })).status).toBeLessThan(300);
    }
    const { json } = await call(url);
    expect(json).toMatchObject({
      authorization: { state: 'pending' },
      message: expect.stringContaining('for the human'),
    });
    expect(json).not.toHaveProperty('confirm');
    expect((await exchangeToken(system, deviceCode)).status).toBe(202);
    const { headers, text } = await call(url, { headers: browser });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': expect.stringMatching(/^text\/html/),
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
    });
    expect(text).toMatch(/<button[^>]*>Yes, let it act for me</);
    expect(text).toMatch(/<button[^>]*>No</);
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toMatch(/(src|href)="https?:\/\/(?!127\.0\.0\.1)/);
  });

  test('POST confirms; repeating it shows the result; there is only one token, and a decline ends it', async () => {
    const { url, deviceCode } = await requested();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        sendJson('POST', url.replace(system.url, system.gateways[at % 2] ?? ''), { decision: 'confirm' }),
      ),
    );
    for (const { status, json } of answers) expect([status, json.authorization.state]).toEqual([200, 'confirmed']);
    const tokens = await Promise.all(Array.from({ length: 10 }, (_, at) => exchangeToken(system, deviceCode, at % 2)));
    expect(new Set(tokens.map(({ json }) => json.token)).size).toBe(1);
    expect((await call(url)).json.authorization).toMatchObject({ state: 'issued', access_until: expect.any(String) });
    expect((await sendJson('POST', url, { decision: 'decline' })).json.authorization.state).toBe('revoked');
    const words = /^This access was ended after the yes/;
    expectFailure(await exchangeToken(system, deviceCode), 400, 'invalid_or_expired_code', words);
    await untilRefused(system, tokens[0]?.json.token);
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
        const { status, headers, text } = await call(`${base}?code=${code}`, { method, headers: browser });
        expect([status, headers.get('content-type')]).toEqual([400, expect.stringMatching(/^text\/html/)]);
        expect(text).toContain('This link does not work');
      }
    }
    expectPage(await call(`${system.url}/access?key=%00`), 404, 'This link has ended');
  });
});

describe('renewing, and the link to the access page', () => {
  test('a valid token renews for its own mailbox; a bad one gets 401', async () => {
    const { token, email } = await consent(system, freshEmail());
    const ask = (address: string, by: string) =>
      sendJson('POST', authorize, { email: address, agent_name: 'Agent 2.0' }, bearer(by));
    expectFailure(await ask(freshEmail(), token), 400, 'validation_error');
    expectFailure(await ask(email, 'cks_x'), 401, 'invalid_token');
    const { status, json } = await ask(email, token);
    expect(status).toBe(202);
    const mail = await until('the mail of the renewal', () =>
      mailsTo(system, email).find(({ text }) => text?.replace(/\s+/g, ' ').includes('it renews the access')),
    );
    await sendJson('POST', confirmUrl(system, mail), {});
    expect((await exchangeToken(system, json.token_exchange.device_code)).status).toBe(200);
    await untilRefused(system, token);
  });

  test('/access without a key shows a form with the same response for every address', async () => {
    const lost = await call(`${system.url}/access`, { headers: { accept: 'text/html' } });
    expectPage(lost, 200, 'action="access/link"');
    expect(lost.text).not.toContain('has ended');
    const moved = await fetch(`${system.url}/access/?key=x`, { redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([308, '../access?key=x']);
    expect((await fetch(`${system.url}/access?key=x/`, { redirect: 'manual' })).status).toBe(404);
    // A program gets its answer there.
    expect((await call(`${system.url}/api/v1/agent/authorize/confirm/?code=x`)).json.ok).toBe(false);
    const post = (fields: Record<string, string>) => submitForm(`${system.url}/access/link`, fields);
    const { email } = await consent(system, freshEmail());
    const links = () => mailsTo(system, email).filter(({ subject }) => subject === 'The link to your own page');
    const [, key = ''] = /name="form_key" value="([^"]+)"/.exec(lost.text) ?? [];
    // Pressed twice, the form sends one mail.
    for (const _press of [1, 2]) expect((await post({ email, form_key: key })).status).toBe(202);
    for (const known of [email, 'nobody-here@example.org']) expect((await post({ email: known })).status).toBe(202);
    expect((await post({ email: 'nonsense' })).status).toBe(400);
    expectPage(await post({ email: 'müller@example.org' }), 400, 'The address must have no “ü” before the @');
    await until('both mails with a link', () => links().length >= 2);
    expect(links()).toHaveLength(2);
  });
});

test('device codes and confirmation codes cannot replace each other, and work for one request only', async () => {
  const email = freshEmail();
  const first = await askForAccess(system, email);
  const second = await askForAccess(system, email);
  const code = confirmationCodeIn(await confirmationMail(system, email)) ?? '';
  expectFailure(await exchangeToken(system, code), 400, 'invalid_or_expired_code');
  const confirmed = await sendJson('POST', `${authorize}/confirm?code=${first.deviceCode}`, {});
  expectFailure(confirmed, 400, 'invalid_or_expired_code');
  const [id] = first.deviceCode.split('.');
  const [, secret] = second.deviceCode.split('.');
  for (const [wrong, words] of [
    [`${id}.${secret}`, /Else it was changed: send it as it came\.$/],
    [first.deviceCode.slice(0, -1), /^This is no whole device_code.*not affected\.$/],
  ] as const)
    expectFailure(await exchangeToken(system, wrong), 400, 'invalid_or_expired_code', words);
  for (const device_code of ['', 'x', 1, null, { $ne: null }, 'x'.repeat(5_000)]) {
    const answer = await sendJson('POST', `${system.url}/api/v1/agent/token`, { device_code });
    expect([400]).toContain(answer.status);
  }
});

test('the access page lists and revokes grants; GET changes nothing', async () => {
  const { token, email } = await consent(system);
  const url = await accessPageLink(system, email);
  for (let at = 0; at < 3; at += 1) {
    const { status, text, headers } = await call(url, { headers: browser });
    expect([status, text.includes('Test Agent'), text.includes(token)]).toEqual([200, true, false]);
    expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual(['no-referrer', 'no-store']);
  }
  const described = await call(`${system.url}/api/v1/agent/token`, { headers: bearer(token) });
  expect((await submitForm(url, { id: described.json.token.id })).status).toBeLessThan(400);
  await untilRefused(system, token);
  const unknown = await submitForm(url, { id: '00000000-0000-4000-8000-000000000000' });
  expectPage(unknown, 400, 'There is no such access on this page');
  const plain = await call(url, { method: 'POST', headers: { ...browser, 'content-type': 'text/plain' }, body: 'id=' });
  expectPage(plain, 415, 'Send it as application/x-www-form-urlencoded or');
  expect((await call(`${system.url}/access?key=wrong`, { headers: browser })).status).toBe(404);
  expectPage(await submitForm(url.replace('/access?', '/access/links?'), {}), 200, 'Earlier links are useless now');
  expect((await call(url, { headers: browser })).status).toBe(404);
});
