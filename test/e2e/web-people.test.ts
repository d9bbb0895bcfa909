import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Desk, deskOf } from '../harness/desk.js';
import { type System, startSystem } from '../harness/system.js';
import { type StaffBrowser, type StaffResponse, startWebDesk, type WebDesk } from '../harness/web-desk.js';

let system: System;
let web: WebDesk;
let desk: Desk;
let ada: StaffBrowser;
const email = 'web-person@example.org';

beforeAll(async () => {
  system = await startSystem();
  web = await startWebDesk(system);
  desk = deskOf(system);
  ada = await web.signIn('ada', 'support');
});
afterAll(async () => {
  await web?.close();
  await system?.close();
});

/** Finds a person with the form, as people do. Returns the path of the page and the page. */
async function find(browser: StaffBrowser, address = email): Promise<[string, StaffResponse]> {
  const found = await browser.submit(await browser.get('/people'), '/people/find', { email: address, reason: 'T-1' });
  const path = found.headers.get('location') ?? '';
  return [path, await browser.get(path)];
}

async function actOn(browser: StaffBrowser, action: string, fields: Record<string, string>): Promise<StaffResponse> {
  const [path, page] = await find(browser);
  return browser.submit(page, `${path}${action}`, fields);
}

test('a person is found without an address in a URL or a log, and only in the session that looked', async () => {
  const issued = ['token', 'issue', '--email', email, '--agent', 'Web agent', '--yes'];
  await desk.json(...issued);
  const [path, page] = await find(ada, 'Web-Person@Example.org');
  expect(page.text).toContain(`<bdi>${email}</bdi>`);
  expect(page.text).toContain('Web agent');
  expect(decodeURIComponent(path)).not.toContain('web-person');
  expect(web.process.output()).not.toContain('web-person');
  const eve = await web.signIn('eve', 'support');
  expect((await eve.get(path)).status).toBe(404);
});

test('a token ends with a reason, a link is sent, and the data is exported in both formats', async () => {
  const [{ id }] = await desk.json<[{ id: string }]>('token', 'list', '--email', email);
  const ended = await actOn(ada, `/tokens/${id}/end`, { reason: 'lost laptop' });
  expect((await ada.get(ended.headers.get('location') ?? '')).text).toContain('The token has ended.');
  expect(await desk.json('token', 'list', '--email', email)).toMatchObject([{ state: 'revoked' }]);
  expect((await actOn(ada, '/link', { site: 'org', reason: 'asked' })).status).toBe(303);
  for (const [format, part] of [
    ['markdown', '### tokens 1 of 1'],
    ['json', '"agent_name": "Web agent"'],
  ] as const) {
    const file = await actOn(ada, '/export', { format, reason: 'asked' });
    expect(file.text).toContain(part);
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="person-[\d-]+\.(md|json)"$/);
  }
});

test('says why an agent gets 429, and resets it', async () => {
  const asked = await ada.submit(await ada.get('/people'), '/people/limits', { kind: 'client', value: 'web-client' });
  const path = asked.headers.get('location') ?? '';
  expect((await ada.get(path)).text).toMatch(/articles read with this client id, a day<\/td><td>3<\/td><td>3</);
  expect((await ada.submit(await ada.get(path), path, { reason: 'counted twice' })).status).toBe(303);
  const wrong = await ada.submit(await ada.get('/people'), '/people/limits', { kind: 'shoe', value: 'x' });
  expect(wrong.status).toBe(400);
});

test('an erasure needs a second person, and the services refuse the first and every other role', async () => {
  expect((await actOn(ada, '/erasure', { reason: 'a letter' })).status).toBe(303);
  const [{ id }] = await desk.json<[{ id: string }]>('erasure', 'list');
  const confirm = `/people/erasures/${id}/confirm`;
  const own = await ada.get('/people');
  expect(own.text).not.toContain(confirm);
  const cancel = `/people/erasures/${id}/cancel`;
  const [, _csrf = ''] = /name="_csrf" value="([^"]+)"/.exec(own.text) ?? [];
  expect((await ada.post(confirm, { _csrf, checked: 'yes' })).status).toBe(409);
  for (const role of ['reader', 'moderator', 'editor'] as const) {
    const other = await web.signIn(`${role}-person`, role);
    expect((await other.get('/people')).status).toBe(403);
    const [, token = ''] = /name="_csrf" value="([^"]+)"/.exec((await other.get('/')).text) ?? [];
    for (const action of [confirm, cancel]) {
      expect((await other.post(action, { _csrf: token, checked: 'yes', reason: 'x' })).status).toBe(403);
    }
  }
  const bob = await web.signIn('bob', 'support');
  const waiting = await bob.get('/people');
  expect((await bob.submit(waiting, confirm)).status).toBe(400);
  const erased = await bob.submit(waiting, confirm, { checked: 'yes' });
  expect((await bob.get(erased.headers.get('location') ?? '')).text).toContain('The person is erased');
  expect(await desk.json('token', 'list', '--email', email)).toEqual([]);
  expect(await desk.json('erasure', 'list')).toEqual([]);
});
