import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ownWebDesk } from '../harness/own.js';
import { openRaw } from '../harness/raw-connection.js';
import { sharedSystem } from '../harness/system.js';
import { until } from '../harness/until.js';
import { createStaffBrowser, csrfOf, type StaffBrowser, startWebDesk } from '../harness/web-desk.js';

const system = await sharedSystem();
const desk = await ownWebDesk(system);

test('idle connections of one address lock nobody out, and make room for its next one', async () => {
  const { url, close } = await startWebDesk(system, { MAX_CONNECTIONS: '20', CONNECTIONS_PER_ADDRESS: '10' });
  const head = `GET /nothing HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`;
  const ask = async (from: string) => {
    const connection = await openRaw(url, from);
    connection.write(head);
    await until('an answer', () => connection.statuses().length > 0 || connection.over());
    return connection;
  };
  const rude = [];
  for (let at = 0; at < 30; at += 1) rude.push(await ask('127.0.0.1'));
  expect((await ask('127.0.0.2')).statuses()).toEqual([404]);
  await until('room for the address', async () => (await ask('127.0.0.1')).statuses()[0] === 404);
  for (const { socket } of rude) socket.destroy();
  await close();
});

test.each(['Host: b', 'Content-Encoding: gzip\r\nContent-Length: 1', 'Transfer-Encoding: gzip, chunked'])(
  'a second meaning of a request, %s, is refused',
  async (header) => {
    const connection = await openRaw(desk.url);
    connection.write(`GET /sign-in HTTP/1.1\r\nHost: ${new URL(desk.url).host}\r\n${header}\r\n\r\n`);
    await until('an answer', () => connection.statuses().length > 0);
    expect([400, 415]).toContain(connection.statuses()[0]);
    connection.socket.destroy();
  },
);

const own = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };

/** Sends bytes as a form of our own page, with the cookies of a browser. */
async function sendForm(path: string, body: string, browser?: StaffBrowser, headers: Record<string, string> = own) {
  const cookie = [...(browser?.cookies ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(`${desk.url}${path}`, { method: 'POST', body, headers: { ...headers, cookie } });
  return { status: response.status, text: await response.text() };
}

describe('a form of a stranger', () => {
  const fields = 'typed&'.repeat(170_000);
  const forged = createStaffBrowser('');
  forged.cookies.set('desk-session', randomBytes(32).toString('base64url'));

  test.each([
    ['without a cookie', undefined],
    ['with the cookie of a session that never was', forged],
  ])('%s is refused before it is read, and nothing of it comes back', async (_how, browser) => {
    const { status, text } = await sendForm('/articles/new', fields, browser);
    expect([status, text.includes('typed'), text.length < 10_000]).toEqual([401, false, true]);
  });

  test('may have 16 kB where nobody needs a session, and nothing of it comes back', async () => {
    for (const path of ['/sign-in/code', '/sign-out', '/no-such-page']) {
      expect((await sendForm(path, fields)).status, path).toBe(413);
      const { status, text } = await sendForm(path, 'next=typed');
      expect([status >= 400 && status < 500, text.includes('typed')], path).toEqual([true, false]);
    }
  });
});

test('a form of a staff member has bounded fields and bytes, and no other body is read', async () => {
  const ada = await desk.signIn('ada', 'editor');
  const token = csrfOf(await ada.get('/articles/new'));
  const form = `_csrf=${encodeURIComponent(token)}`;
  const send = async (body: string, type = own['content-type']) =>
    (await sendForm('/articles/new', body, ada, { ...own, 'content-type': type })).status;
  expect(await send(form + '&a'.repeat(499))).toBe(422);
  expect(await send(form + '&a'.repeat(500))).toBe(413);
  expect(await send(`${form}&body=${'x'.repeat(1024 * 1024)}`)).toBe(413);
  expect(await send('{}', 'application/json')).toBe(415);
  expect(await send('x', 'text/plain')).toBe(415);
});

test('who may not import is refused before a file is read', async () => {
  const reader = await desk.signIn('rita', 'reader');
  const body = `--x\r\ncontent-disposition: form-data; name="files"; filename="a.md"\r\n\r\n${'x'.repeat(8_000_000)}`;
  const type = { ...own, 'content-type': 'multipart/form-data; boundary=x' };
  expect((await sendForm('/articles/files', body, reader, type)).status).toBe(403);
});

test('requests without a session are bounded by address, and those with one are not', async () => {
  const ada = await desk.signIn('ada', 'reader');
  const statuses = new Set<number>();
  for (let sent = 0; sent < 601; sent += 50)
    for (const { status } of await Promise.all(Array.from({ length: 50 }, () => createStaffBrowser(desk.url).get('/'))))
      statuses.add(status);
  expect([...statuses]).toEqual([303, 429]);
  expect((await ada.get('/')).status).toBe(200);
});
