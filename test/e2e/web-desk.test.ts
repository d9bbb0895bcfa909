import { randomBytes, randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { roles } from '@knowledge/runtime/grpc';
import { afterAll, describe, expect, test } from 'vitest';
import { freePort } from '../harness/free-port.js';
import { expectPage, expectWords } from '../harness/http.js';
import { startProcess } from '../harness/managed-process.js';
import { ownWebDesk } from '../harness/own.js';
import { sharedSystem } from '../harness/system.js';
import { until } from '../harness/until.js';
import { createStaffBrowser, csrfOf, pathTo, type StaffBrowser, type StaffResponse } from '../harness/web-desk.js';

const providerMain = fileURLToPath(new URL('../../deploy/local/bundle/oidc-provider/main.js', import.meta.url));
const system = await sharedSystem();
const [providerPort, deskPort] = [await freePort(), await freePort()];
const issuer = `http://127.0.0.1:${providerPort}`;
const url = `http://127.0.0.1:${deskPort}`;
const client = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'desk', OIDC_CLIENT_SECRET: randomBytes(32).toString('hex') };
const provider = await startProcess({
  name: 'oidc-provider',
  command: [process.execPath, providerMain],
  env: {
    ...client,
    OIDC_PROVIDER_PORT: String(providerPort),
    OIDC_REDIRECT_URIS: `${url}/sign-in/callback`,
    OIDC_SIGNED_OUT_URIS: `${url}/`,
  },
  async ready() {
    await until('the provider', async () => (await fetch(`${issuer}/.well-known/openid-configuration`)).ok);
  },
});
afterAll(() => provider.close());
const desk = await ownWebDesk(system, {
  ...client,
  DESK_PUBLIC_URL: url,
  TRUSTED_PROXIES: '127.0.0.1',
  OIDC_ROLES: 'cks-moderators=moderator;cks-admins=administrator',
});

const stranger = (): StaffBrowser => createStaffBrowser(desk.url);
/** Another tab of a browser, or another browser that was given its cookies. */
function tabOf({ cookies }: StaffBrowser): StaffBrowser {
  const tab = stranger();
  for (const [name, value] of cookies) tab.cookies.set(name, value);
  return tab;
}
const session = 'desk-session';

test('signing in is bounded for each address that a trusted proxy saw, whatever the client says', async () => {
  const left = async (forwarded: string) => {
    const { headers } = await stranger().get('/sign-in', { 'x-forwarded-for': forwarded });
    return Number(headers.get('x-ratelimit-remaining'));
  };
  const first = await left('203.0.113.5');
  expect(await left('203.0.113.6')).toBe(first);
  expect(await left('198.51.100.1, 203.0.113.5')).toBe(first - 1);
});

describe('without a session', () => {
  test.each(['/', '/admin', '/admin?staff=x', '/no-such-page'])(
    '%s leads to the sign-in, and then back',
    async (path) => {
      const { status, headers } = await stranger().get(path);
      const isPage = path !== '/no-such-page';
      expect(status).toBe(isPage ? 303 : 404);
      if (isPage) expect(headers.get('location')).toBe(`/sign-in?next=${encodeURIComponent(path)}`);
    },
  );

  test('a form changes nothing, and htmx gets the address of the sign-in', async () => {
    const refused = await stranger().post('/admin/sessions/x/end', { reason: 'typed' });
    expect([refused.status, refused.text.includes('typed')]).toEqual([401, false]);
    const { status, headers } = await stranger().get('/admin', { 'hx-request': 'true' });
    expect([status, headers.get('hx-redirect')]).toEqual([401, '/sign-in?next=%2Fadmin']);
  });

  test('a form of our own page is kept until somebody has signed in again', async () => {
    const own = { 'sec-fetch-site': 'same-origin' };
    const fields = { title: '"><b>typed', body: 'One\nTwo' };
    const browser = await desk.signIn('ada', 'editor');
    const { text: before } = await browser.get('/articles/new');
    const token = /name="_csrf" value="([^"]+)"/.exec(before)?.[1] ?? '';
    const link = await desk.signInLink('ada', 'editor');
    await tabOf(browser).fillIn('/', {}, '/sign-out');
    const late = await browser.post('/articles/new', { ...fields, _csrf: token }, own);
    expectPage(late, 401, 'Your session has ended');
    expect(late.text.split('&quot;&gt;&lt;b&gt;typed</textarea>')).toHaveLength(2);
    const ofHtmx = await browser.post('/articles/new', { ...fields, _csrf: token }, { ...own, 'hx-request': 'true' });
    expect([ofHtmx.status, ofHtmx.headers.get('desk-send-as-form')]).toEqual([401, 'yes']);

    await browser.fillIn(link, {}, '/sign-in/code');
    const old = await browser.post('/articles/new', { ...fields, _csrf: token }, own);
    expectPage(old, 403, 'Send it now');
    expectPage(await browser.submit(old, '/articles/new'), 422, 'One\nTwo</textarea>');
  });

  test('a form of our own page that is refused shows what was sent, and leads back', async () => {
    const browser = await desk.signIn('ada', 'moderator');
    const { text: page } = await browser.get('/queue');
    const _csrf = /x-csrf-token&quot;:&quot;([^&]+)/.exec(page)?.[1] ?? '';
    const note = { text: '"><b>typed', _csrf };
    const path = `/queue/${randomUUID()}`;
    const headers = { 'sec-fetch-site': 'same-origin', referer: `${desk.url}${path}?order=risk` };
    const refused = await browser.post(`${path}/notes`, note, headers);
    expectPage(refused, 404, '&quot;&gt;&lt;b&gt;typed');
    expect(refused.text).not.toContain(note._csrf);
    expect(refused.text).toContain(`<a href="${path}?order=risk">Back</a>`);
    const own = '/articles/org/none/archive';
    const there = await browser.post(own, { ...note, revision: '1' }, { ...headers, referer: `${desk.url}${own}` });
    expectPage(there, 403, `<a href="${own}">Back</a>`);
    const foreign = await browser.post(`${path}/notes`, note, { ...headers, referer: 'https://evil.example//x' });
    expect(foreign.text).not.toContain('evil.example');
  });
});

describe('a sign-in link', () => {
  test('is not used by opening it, works once, and never again', async () => {
    const link = await desk.signInLink('ada', 'reader');
    const browser = stranger();
    await browser.get(link);
    const page = await browser.get(link);
    const entered = await browser.submit(page, '/sign-in/code');
    expect([entered.status, pathTo(entered)]).toEqual([303, '/']);
    expect((await browser.get('/')).text).toContain('Welcome, <bdi>ada</bdi>');
    const other = stranger();
    expectPage(await other.fillIn(link, {}, '/sign-in/code'), 403, 'This link was used');
  });

  test('pressed twice in one browser opens one session, and an old one leads on who is signed in', async () => {
    const link = await desk.signInLink('ada', 'reader');
    const first = stranger();
    const page = await first.get(link);
    const second = tabOf(first);
    // Of two presses on a slow line the browser keeps the last answer.
    const presses = await Promise.all([first, second].map((each) => each.submit(page, '/sign-in/code')));
    expect(presses.map(({ status }) => status)).toEqual([303, 303]);
    expect(second.cookies.get(session)).toBe(first.cookies.get(session));
    expect((await second.get('/')).text).toContain('Welcome, <bdi>ada</bdi>');
    // The answer may also come between them.
    const late = await first.submit(page, '/sign-in/code', { next: '/record' });
    expect([late.status, pathTo(late)]).toEqual([303, '/record']);
    const again = await first.submit(await first.get(link), '/sign-in/code', { next: '/record' });
    expect([again.status, pathTo(again)]).toEqual([303, '/record']);
    expect((await first.get('/')).status).toBe(200);
    await first.fillIn('/', {}, '/sign-out');
    expect((await first.fillIn(link, {}, '/sign-in/code')).status).toBe(403);
    expect((await first.submit(page, '/sign-in/code')).status).toBe(403);
  });

  test('gives a new secret to a browser that has one already, and ends the session of the old one', async () => {
    const browser = await desk.signIn('ada', 'reader');
    const before = browser.cookies.get(session) ?? '';
    await browser.submit(await browser.get(await desk.signInLink('eve', 'reader')), '/sign-in/code');
    expect(browser.cookies.get(session)).not.toBe(before);
    const old = stranger();
    old.cookies.set(session, before);
    expect((await old.get('/')).status).toBe(303);
  });

  test.each(['https://evil.example/', '/%09/evil.example', '/sign-out'])('never leads to %s', async (next) => {
    const browser = stranger();
    const page = await browser.get(`${await desk.signInLink('ada', 'reader')}&next=${encodeURIComponent(next)}`);
    const { headers } = await browser.submit(page, '/sign-in/code', { next });
    const target = new URL(headers.get('location') ?? '', desk.url);
    expect([target.origin, target.pathname.startsWith('/sign-')]).toEqual([desk.url, false]);
  });
});

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['without a CSRF token', { _csrf: '' }, {}],
  ['with the token of somebody else', { _csrf: 'x-0123456789abcdef' }, {}],
  ['of another site, by its Origin', {}, { origin: 'https://evil.example' }],
  ['of another site, by Sec-Fetch-Site', {}, { 'sec-fetch-site': 'cross-site' }],
])('a form %s is refused', async (_how, fields, headers) => {
  const browser = await desk.signIn('ada', 'reader');
  const csrf = csrfOf(await browser.get('/'));
  expect((await browser.post('/sign-out', { _csrf: csrf, ...fields }, headers)).status).toBe(403);
  expect((await browser.get('/')).status).toBe(200);
});

test('every page forbids frames, other code and storing, and the cookie is hidden from scripts', async () => {
  const browser = await desk.signIn('ada', 'administrator');
  for (const path of ['/', '/admin', '/sign-in?next=/', '/no-such-page']) {
    const headers = Object.fromEntries((await browser.get(path)).headers);
    const policy = headers['content-security-policy'];
    for (const part of ["default-src 'none'", "frame-ancestors 'none'"]) expect(policy, path).toContain(part);
    expect(policy, path).not.toMatch(/unsafe-|\*/);
    const others = { 'x-frame-options': 'DENY', 'cache-control': 'no-store', 'referrer-policy': 'same-origin' };
    expect(headers, path).toMatchObject(others);
  }
  const page = await stranger().get(await desk.signInLink('ada', 'reader'));
  expect(page.headers.getSetCookie().every((line) => /HttpOnly; SameSite=Lax/.test(line))).toBe(true);
});

test('the events of the queue pass a proxy that buffers at once', async () => {
  const { cookies } = await desk.signIn('ada', 'moderator');
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const stop = new AbortController();
  const { headers } = await fetch(`${desk.url}/queue/events`, { headers: { cookie }, signal: stop.signal });
  stop.abort();
  expect([headers.get('content-type'), headers.get('x-accel-buffering')]).toEqual(['text/event-stream', 'no']);
});

test('scripts and styles are compressed, and a page with personal data never is', async () => {
  const browser = await desk.signIn('ada', 'editor');
  const page = await browser.get('/', { 'accept-encoding': 'gzip, br' });
  expect(page.headers.get('content-encoding')).toBeNull();
  const paths = [...page.text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(3);
  for (const path of paths) {
    const plain = await browser.get(path, { 'accept-encoding': 'identity' });
    const zipped = await browser.get(path, { 'accept-encoding': 'br, gzip' });
    const refused = await browser.get(path, { 'accept-encoding': 'gzip;q=0' });
    const encodings = [plain, zipped, refused].map(({ headers }) => headers.get('content-encoding'));
    expect(encodings).toEqual([null, 'gzip', null]);
    expect([zipped.text === plain.text, zipped.headers.get('vary')]).toEqual([true, 'accept-encoding']);
  }
});

test('another host name is refused, but not for probes', async () => {
  const elsewhere = desk.url.replace('127.0.0.1', 'localhost');
  expect((await fetch(`${elsewhere}/sign-in`)).status).toBe(421);
  expect((await fetch(`${elsewhere}/healthz`)).status).toBe(200);
});

test('a session ends at once when an administrator ends it, and the log says who did', async () => {
  const moderator = await desk.signIn('mona', 'moderator');
  const administrator = await desk.signIn('root', 'administrator');
  const page = await administrator.get('/admin');
  const row = page.text.split('<tr>').find((each) => each.includes('>mona<') && each.includes('/end"')) ?? '';
  const [, action = ''] = / action="([^"]+)"/.exec(row) ?? [];
  expect((await administrator.submit(page, action, { reason: 'lost laptop' })).status).toBe(303);
  expect((await moderator.get('/')).status).toBe(303);
  const told = /EndSession.*"actor":"root"/;
  await until('the end in the log', () => told.test(system.processes['identity']?.output() ?? ''));
});

test('the menus of a role lead to every page that it may open, and to no other, and the start page names no other', async () => {
  const linksOf = async (browser: StaffBrowser, ...paths: string[]): Promise<string[]> => {
    const pages = await Promise.all(paths.map(async (path) => (await browser.get(path)).text));
    const menus = pages.flatMap((text) => text.match(/<nav .*?<\/nav>/gs) ?? []).join('');
    return [...new Set([...menus.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path))];
  };
  const root = await desk.signIn('root', 'administrator');
  const all = await linksOf(root, ...(await linksOf(root, '/')));
  expect(all.length).toBeGreaterThan(12);
  for (const role of roles) {
    const browser = await desk.signIn('mia', role);
    const shown = await linksOf(browser, ...(await linksOf(browser, '/')));
    const opened = await Promise.all(
      all.map(async (path) => {
        const page = await browser.get(path);
        const { status } = page.status === 303 ? await browser.follow(page) : page;
        return status === 200;
      }),
    );
    expect(shown.sort(), role).toEqual(all.filter((_, at) => opened[at]).sort());
    const item = await browser.get(`/queue/${randomUUID()}`);
    if (item.status !== 404) expectPage(item, 403, 'These roles may: moderator, administrator.');
    const { text } = await browser.get('/');
    const words = { '/people': 'know of a person', '/admin': 'who works here', '/articles': 'next revisions' };
    const named = Object.entries(words).filter(([, about]) => text.toLowerCase().includes(about));
    expect(
      named.map(([path]) => path),
      role,
    ).toEqual(Object.keys(words).filter((path) => shown.includes(path)));
  }
});

test.each([
  ['/sign-in/code', '/sign-in'],
  ['/sign-out', '/'],
  ['/people/find', '/people'],
  ['/people/of/sealed/tokens/x/end', '/people/of/sealed/tokens/x'],
  ['/people/erasures/x/confirm', '/people'],
  ['/queue/x/decision?type=story', '/queue/x?type=story'],
  ['/admin/sessions/x/end', '/admin'],
])('a tab that is restored at %s, which takes forms alone, shows %s', async (path, page) => {
  const opened = await stranger().get(path);
  expect([opened.status, pathTo(opened)]).toEqual([303, page]);
});

test('a filter of the queue that is refused names its field', async () => {
  const moderator = await desk.signIn('mona', 'moderator');
  for (const path of ['/queue?words=-', '/queue/next?words=%E2%80%A6']) {
    expectPage(await moderator.get(path), 400, 'Words in the text must have a word.');
  }
});

describe('an OpenID provider', () => {
  test('a group at the provider becomes a role, and the page that was asked for appears', async () => {
    const { browser, entered } = await enter('ada', '/admin');
    expect([entered.status, pathTo(entered)]).toEqual([303, '/admin']);
    expect(entered.headers.getSetCookie().join('\n')).toMatch(/^desk-session=[\w-]{43}; .*HttpOnly; SameSite=Lax$/m);
    const { text } = await browser.get('/admin');
    expectWords(text, 'Ada Administrator', 'ada@staff.example');
    const moderator = (await enter('mona')).browser;
    expect((await moderator.get('/')).text).toContain('Mona Moderator');
    expect((await moderator.get('/admin')).status).toBe(403);
  });

  test('a person without a role gets no session, and learns why', async () => {
    const { browser, entered } = await enter('nils', '/admin');
    expect([entered.status, browser.cookies.has('desk-session')]).toEqual([403, false]);
    expect(entered.text).toContain('Nils Nobody');
  });

  test('an answer works once, only in its own browser, and not if it was changed', async () => {
    const browser = stranger();
    const answer = await answerFor(browser, 'ada');
    expect((await stranger().get(answer)).status).toBe(400);
    const changed = new URL(answer);
    changed.searchParams.set('state', 'x'.repeat(43));
    expect((await tabOf(browser).get(changed.href)).status).toBe(400);
    const other = tabOf(browser);
    expect((await browser.get(answer)).status).toBe(303);
    expect((await other.get(answer)).status).toBe(403);
  });

  test('signs in two tabs that began together, and a restored tab of an old sign-in leads on', async () => {
    const browser = stranger();
    const answers = [await answerFor(browser, 'ada', '/admin'), await answerFor(browser, 'ada', '/record')];
    const entered = [await browser.get(answers[0] ?? ''), await browser.get(answers[1] ?? '')];
    expect(entered.map(pathTo)).toEqual(['/admin', '/record']);
    expect((await browser.get('/admin')).status).toBe(200);
    expect(pathTo(await browser.get(answers[0] ?? ''))).toBe('/');
    expect((await browser.get('/admin')).status).toBe(200);
    // What waits for a provider is bounded, so that the head of a request stays short.
    for (let tab = 0; tab < 12; tab++) await browser.get(`/sign-in/start?next=/${'x'.repeat(1_900)}`);
    expect([...browser.cookies.keys()].filter((name) => name.includes('sign-in'))).toHaveLength(4);
    expect((await browser.get('/admin')).status).toBe(200);
  });

  test('signing out ends the session here, and then that of the provider', async () => {
    const { browser } = await enter('ada');
    const secret = browser.cookies.get('desk-session') ?? '';
    const { text } = await browser.fillIn('/', {}, '/sign-out');
    expect(text).toContain(`content="0; url=${issuer}/session/end?`);
    browser.cookies.set('desk-session', secret);
    expect((await browser.get('/')).status).toBe(303);
  });

  test('without the provider nobody can sign in, but who is signed in goes on', async () => {
    const { browser } = await enter('ada');
    await provider.kill();
    expect((await browser.get('/')).status).toBe(200);
    await desk.process.restart();
    expect((await stranger().get('/sign-in/start')).status).toBe(503);
    expect((await browser.get('/')).status).toBe(200);
  });
});

/** Lets a person choose to be this staff member at the provider. Returns the address that brings the answer to the desk. */
async function answerFor(browser: StaffBrowser, id: string, next = '/'): Promise<string> {
  const atProvider = createStaffBrowser(issuer);
  const begun = await browser.get(`/sign-in/start?next=${encodeURIComponent(next)}`);
  const choice = pathTo(await atProvider.get(pathTo(begun)));
  const chosen = await atProvider.post(`${choice}/${id}`, {});
  return pathTo(await atProvider.get(pathTo(chosen)));
}

async function enter(id: string, next?: string): Promise<{ browser: StaffBrowser; entered: StaffResponse }> {
  const browser = stranger();
  const entered = await browser.get(await answerFor(browser, id, next));
  return { browser, entered };
}
