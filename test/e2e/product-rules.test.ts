import { expect, test } from 'vitest';
import { askForAccess, confirmationMail, confirmUrl, exchangeToken, freshEmail, sendJson } from '../harness/agent.js';
import { call, expectFailure, expectWords, freshReader } from '../harness/http.js';
import { ownSystem } from '../harness/own.js';
import { seedReading } from '../harness/reading.js';

/** Rules in which every number differs from `services/runtime/src/product/rules.ts`. */
const changed = {
  readsPerDay: { anonymous: 4, verifiedEmail: 12 },
  contributionsPerDay: 21,
  linkMinutes: 45,
  tokenDays: 90,
};

// Every process changes the rules before its own code reads them.
const rules = new URL('../../services/runtime/dist/product/rules.js', import.meta.url).href;
const code = `import { rules } from '${rules}'; Object.assign(rules, ${JSON.stringify(changed)});`;
const preload = `data:text/javascript,${encodeURIComponent(code)}`;
const system = await ownSystem({ programs: 'dist', env: { NODE_OPTIONS: `--import=${preload}` } });
await seedReading(system);

const untilOf = (from: number) =>
  new Date(from + changed.tokenDays * 86_400_000).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

test('a changed rule is in the mail, on the page and in the token', async () => {
  const email = freshEmail();
  const { answer, deviceCode } = await askForAccess(system, email);
  expect(answer.json.mail.link_minutes).toBe(45);
  const until = untilOf(Date.parse(answer.json.authorization.expires_at) - 86_400_000);
  const words = [
    'read up to 12 articles a day as you',
    'together read at most 12 articles and send at most 21 texts a day',
    until,
  ];

  const mail = await confirmationMail(system, email);
  const page = await call(confirmUrl(system, mail), { headers: { accept: 'text/html' } });
  for (const text of [mail.text ?? '', String(mail.html), page.text]) {
    for (const each of words) expect(text.replace(/\s+/g, ' ')).toContain(each);
  }
  expect(mail.text?.replace(/\s+/g, ' ')).toContain('say yes with this link for 45 minutes');

  await sendJson('POST', confirmUrl(system, mail), {});
  const { json } = await exchangeToken(system, deviceCode);
  expect((Date.parse(json.expires_at) - Date.now()) / 86_400_000).toBeCloseTo(90, 2);
});

test('a changed rule is in the refusal', async () => {
  const reader = freshReader();
  const read = () => call(`${system.url}/api/v1/content/field-note-1?site=org`, { headers: reader });
  for (let at = 0; at < 4; at += 1) expect((await read()).status).toBe(200);
  const refused = await read();
  expectFailure(refused, 429, 'read_quota_exceeded');
  expectWords(refused.json.message, 'All 4 article reads', 'Your human can give you 12 a day');
});

test('a changed rule is in every document', async () => {
  const capabilities = (await call(`${system.url}/api/v1/capabilities`)).json;
  expect(capabilities.identity.token_ttl_days).toBe(90);
  expect(capabilities.limits).toMatchObject({
    anonymous_reads: { max: 4 },
    verified_email_reads: { max: 12 },
    contributions: { max: 21 },
    confirmation_code_lifetime_minutes: { max: 45 },
    token_lifetime_days: { max: 90 },
  });
  const openApi = (await call(`${system.url}/api/v1/openapi.json`)).text;
  expectWords(
    openApi,
    '4 for each X-Agent-Client-Id',
    '12 for a Bearer token',
    'good for 90 days',
    '12 articles a day',
  );
  const stated = {
    '/for-agents': 'The access ends by itself after 90 days.',
    '/docs': '90 days after the agent asked',
    '/about': 'the access ends after 90 days',
    '/llms.txt': '4 for each `X-Agent-Client-Id`, 12 for a verified e-mail',
    '/api/agent': '"article_reads_per_utc_day":{"anonymous":4,"verified_email":12},"contributions_per_utc_day":21',
  };
  for (const [path, words] of Object.entries(stated)) {
    expect((await call(`${system.url}${path}`)).text, path).toContain(words);
  }
});
