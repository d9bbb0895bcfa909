import { readdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freshFolder } from '@knowledge/runtime/testing';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Mailbox, startMailbox } from './start.js';
import type { ReceivedMail } from './store.js';

const dir = freshFolder();
let mailbox: Mailbox;

beforeEach(async () => {
  mailbox = await start();
});

afterEach(() => mailbox.close());

const sampleMail = {
  from: 'Knowledge <no-reply@knowledge.localhost>',
  to: 'Jörg <joerg@example.org>',
  subject: 'Bestätige „Wäsche-Bot“',
  text: 'Open http://localhost:8080/api/v1/agent/authorize/confirm?code=a.b_c&site=org.\nThank you.',
  html: '<p>Open <a href="http://localhost:8080/c?code=a&amp;site=org">this</a><script>alert(1)</script></p>',
  headers: { 'X-Kind': 'confirmation' },
} satisfies SendMailOptions;

it('gives a mail that came by SMTP as JSON', async () => {
  await send(sampleMail);
  const [message] = await list();
  expect(message).toMatchObject({
    from: 'no-reply@knowledge.localhost',
    to: ['joerg@example.org'],
    subject: sampleMail.subject,
    text: sampleMail.text,
    headers: { 'x-kind': 'confirmation', 'return-path': 'no-reply@knowledge.localhost', subject: sampleMail.subject },
    links: [
      'http://localhost:8080/api/v1/agent/authorize/confirm?code=a.b_c&site=org',
      'http://localhost:8080/c?code=a&site=org',
    ],
    attachments: [],
  });
  expect(message?.html).toContain('<p>Open');
  expect(Math.abs(Date.parse(message?.date ?? '') - Date.now())).toBeLessThan(60_000);
  expect(await json(`/api/messages/${message?.id}`)).toEqual(message);
});

it('lists the newest first, and those to one address', async () => {
  for (const subject of ['one', 'two', 'three']) await send({ ...sampleMail, subject });
  await send({ ...sampleMail, to: 'other@example.org', subject: 'four' });
  expect((await list()).map(({ subject }) => subject)).toEqual(['four', 'three', 'two', 'one']);
  const { messages } = await json<{ messages: ReceivedMail[] }>('/api/messages?to=Other@example.org');
  expect(messages.map(({ subject }) => subject)).toEqual(['four']);
});

it('keeps mails over a restart, one .eml file each', async () => {
  await send(sampleMail);
  await mailbox.close();
  expect(readdirSync(dir)).toEqual([expect.stringMatching(/\.eml$/)]);
  writeFileSync(join(dir, 'half-written.part'), 'From: nobody');
  mailbox = await start();
  expect((await list()).map(({ subject }) => subject)).toEqual([sampleMail.subject]);
});

it('takes any log-in and every recipient', async () => {
  await send({ ...sampleMail, to: ['a@example.org', 'b@example.com'] }, { user: 'anyone', pass: 'anything' });
  expect((await list())[0]?.to).toEqual(['a@example.org', 'b@example.com']);
});

it('outlives a client that goes away in the middle of a mail', async () => {
  const socket = connect(Number(new URL(mailbox.smtpUrl).port), '127.0.0.1');
  socket.write('EHLO x\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<b@example.org>\r\nDATA\r\nSubject: half');
  await new Promise((resolve) => socket.once('data', resolve));
  socket.resetAndDestroy();
  await send(sampleMail);
  expect(await list()).toHaveLength(1);
});

it('shows every mail on one page, with what the mail says as text', async () => {
  await send({ ...sampleMail, subject: '<b>bold</b>' });
  const [message] = await list();
  const { html, policy } = await page('/');
  expect(html).toContain('&lt;b&gt;bold&lt;/b&gt;');
  expect(html).toContain(`<details id="${message?.id}">`);
  expect(html).toContain('confirm?code=a.b_c&amp;site=org</a>.');
  expect(html).toMatch(/<iframe src="\/messages\/[^"]+\/html" sandbox="allow-popups [^"]*"/);
  expect(html).not.toContain('allow-scripts');
  expect(policy).toContain("default-src 'none'");
});

it('gives the HTML part under a policy that runs no script and loads nothing', async () => {
  await send(sampleMail);
  const part = await page(`/messages/${(await list())[0]?.id}/html`);
  expect(part.html).toContain('<base target="_blank">');
  expect(part.policy).toMatch(/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'/);
});

it('gives the mail as it came for download', async () => {
  await send(sampleMail);
  const response = await fetch(`${mailbox.address}/messages/${(await list())[0]?.id}.eml`);
  expect(response.headers.get('content-type')).toBe('message/rfc822');
  expect(await response.text()).toMatch(
    /^Return-Path: <no-reply@knowledge.localhost>\r\nX-Original-To: joerg@example.org\r\n/,
  );
});

it('parses each list anew only what goes beyond the 500 mails that it remembers', async () => {
  const write = (subject: string) => {
    for (let at = 0; at < 510; at += 1)
      writeFileSync(join(dir, `${String(at).padStart(15, '0')}-00000000.eml`), `Subject: ${subject}\r\n\r\n`);
  };
  write('before');
  expect(await list()).toHaveLength(510);
  write('after');
  expect((await list()).filter(({ subject }) => subject === 'after')).toHaveLength(10);
});

it('deletes all from the page and from a program', async () => {
  await send(sampleMail);
  const response = await fetch(`${mailbox.address}/delete-all`, { method: 'POST' });
  expect(await response.text()).toContain('No mail yet');
  await send(sampleMail);
  expect(await json('/api/messages', { method: 'DELETE' })).toEqual({ deleted: 1 });
  expect(readdirSync(dir)).toEqual([]);
});

it('answers 404 for what is no mail', async () => {
  for (const path of ['/messages/x', '/messages/..%2f..%2fx.eml', '/messages/x/html', '/api/messages/x', '/nothing']) {
    expect((await fetch(mailbox.address + path)).status, path).toBe(404);
  }
});

it('refuses other sites', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' };
  expect((await fetch(`${mailbox.address}/delete-all`, { method: 'POST', headers })).status).toBe(403);
  const { port } = new URL(mailbox.address);
  expect(await rawStatus(Number(port), 'evil.example')).toBe('HTTP/1.1 421 Misdirected Request');
});

function start(): Promise<Mailbox> {
  return startMailbox({ dir, host: '127.0.0.1', smtpPort: 0, httpPort: 0, logLevel: 'silent' });
}

async function send(mail: SendMailOptions, auth?: { user: string; pass: string }): Promise<void> {
  const transport = createTransport(mailbox.smtpUrl, auth === undefined ? {} : { auth });
  await transport.sendMail(mail);
  transport.close();
}

async function list(): Promise<ReceivedMail[]> {
  return (await json<{ messages: ReceivedMail[] }>('/api/messages')).messages;
}

async function json<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(mailbox.address + path, init);
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

async function page(path: string): Promise<{ html: string; policy: string | null }> {
  const response = await fetch(mailbox.address + path);
  expect(response.headers.get('content-type')).toMatch(/^text\/html/);
  return { html: await response.text(), policy: response.headers.get('content-security-policy') };
}

/** fetch sends no Host of one's choice. */
async function rawStatus(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
    );
    socket.once('data', (data) => resolve(data.toString().split('\r\n')[0])).once('error', reject);
  });
}
