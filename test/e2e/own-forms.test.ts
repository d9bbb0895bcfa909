import { expect, test } from 'vitest';
import { askForAccess, confirmationMail, confirmUrl, mailsTo, submitForm } from '../harness/agent.js';
import { call } from '../harness/http.js';
import { sharedSystem } from '../harness/system.js';

const system = await sharedSystem();

const own = () => new URL(system.url).origin;
const foreign = (): Record<string, string>[] => [
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'same-site', origin: 'https://evil.example' },
  // A page without a referrer, or in a sandbox, hides its name.
  { 'sec-fetch-site': 'cross-site', origin: 'null' },
  { origin: 'https://evil.example' },
  { origin: own().replace('http', 'https') },
];
const allowed = (): Record<string, string>[] => [
  { 'sec-fetch-site': 'same-origin', origin: 'null' },
  { 'sec-fetch-site': 'same-origin', origin: own() },
  { 'sec-fetch-site': 'none' },
  { origin: 'null' },
  { origin: own() },
  {},
];

test('the forms of people take posts of our own pages and of programs, and none of other sites', async () => {
  const email = 'own-forms@example.org';
  await askForAccess(system, email);
  const decision = confirmUrl(system, await confirmationMail(system, email));
  for (const headers of foreign()) {
    for (const [url, fields] of [
      [`${system.url}/access/link`, { email }],
      [`${system.url}/access`, { id: '' }],
      [`${system.url}/access/block`, { days: '0' }],
      [decision, { decision: 'confirm' }],
      [decision.replace('/confirm', '/resend'), {}],
    ] as const) {
      const refused = await submitForm(url, fields, headers);
      expect([url, headers, refused.status]).toEqual([url, headers, 400]);
      expect(refused.text).toContain('A page of another site sent this form');
    }
  }
  const before = mailsTo(system, email).length;
  expect(before).toBe(1);
  for (const [at, headers] of allowed().entries()) {
    const sent = await submitForm(`${system.url}/access/link`, { email: `nobody-${at}@example.org` }, headers);
    expect([headers, sent.status]).toEqual([headers, 202]);
  }
  const confirmed = await submitForm(
    decision,
    { decision: 'confirm' },
    { 'sec-fetch-site': 'same-origin', origin: 'null' },
  );
  expect(confirmed.status).toBe(200);
  // Pages are read from anywhere, such as the link in a mail program on the web.
  expect((await call(decision, { headers: { 'sec-fetch-site': 'cross-site', accept: 'text/html' } })).status).toBe(200);
});
