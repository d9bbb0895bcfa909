import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { consent, contribute, newStory } from '../harness/agent.js';
import { putArticle } from '../harness/articles.js';
import { deskOf } from '../harness/desk.js';
import { expectPage } from '../harness/http.js';
import { ownWebDesk } from '../harness/own.js';
import { routes } from '../harness/route-table.js';
import { sharedSystem } from '../harness/system.js';
import { csrfOf } from '../harness/web-desk.js';

const all = (await routes('desk')).filter(
  (route) => /^(GET|POST) /.test(route) && !/\/(events|sign-\w+)\b/.test(route),
);
const mutating = all.filter((route) => route.startsWith('POST'));

const system = await sharedSystem();
const web = await ownWebDesk(system);
const desk = deskOf(system);
const root = await web.signIn('root', 'administrator');
const csrf = csrfOf(await root.get('/'));
const token = await consent(system);
const contribution = (await contribute(system, token.token, newStory())).json.contribution.id;

const hostile = ['x%0d%0aset-cookie:a', '%00', '..%2f..', '%F0%9F%98%80', '__proto__', 'a'.repeat(490)];
const numbers = ['2147483648', '999999999999999', '-1'];

/** Fills in what a path names. */
const pathOf = (route: string, of: (name: string) => string): string =>
  route.replace(/^\w+ /, '').replace(/:(\w+)/g, (_, name) => of(name));
/** What exists, by the name of its parameter. */
const existing = (name: string): string =>
  ({ site: 'org', slug: 'known', policy: 'read_address_cap', id: contribution })[name] ?? randomUUID();

async function send(route: string, path: string, fields: Record<string, string> = {}) {
  // A change before may have deleted it.
  if (path.includes('/known')) await putArticle(system, { slug: 'known' });
  return route.startsWith('GET')
    ? root.get(path)
    : root.post(path, { _csrf: csrf, reason: 'tried', text: 'tried', ...fields });
}

/** The routes whose answer is no answer: a failure of ours. */
async function failing(tries: readonly (readonly [route: string, path: string, fields?: Record<string, string>])[]) {
  const failed: string[] = [];
  for (let at = 0; at < tries.length; at += 10) {
    const some = tries.slice(at, at + 10).map(async ([route, path, fields]) => {
      const { status } = await send(route, path, fields);
      if (status >= 500 || status === 429) failed.push(`${status} ${route} ${path} ${JSON.stringify(fields ?? {})}`);
    });
    await Promise.all(some);
  }
  return failed;
}

describe('every route of the web desk answers', () => {
  test('hostile parts of its path', async () => {
    expect(mutating.length).toBeGreaterThan(40);
    const withParameters = all.filter((route) => route.includes(':'));
    const tries = withParameters.flatMap((route) =>
      hostile.map((part) => [route, pathOf(route, (name) => (name === 'site' ? 'org' : part))] as const),
    );
    expect(await failing(tries)).toEqual([]);
  });

  test('what is there, and what is not', async () => {
    const tries = all.flatMap((route) => [
      [route, pathOf(route, existing)] as const,
      [route, pathOf(route, (name) => (name === 'site' ? 'org' : randomUUID()))] as const,
    ]);
    expect(await failing(tries)).toEqual([]);
  });

  test.each(numbers)('%s in each field that takes a number', async (number) => {
    const names = ['units', 'order', 'days', 'revision', 'draft', 'base', 'expected', 'seen', 'from', 'at'];
    const fields = Object.fromEntries(names.map((name) => [name, number]));
    expect(await failing(mutating.map((route) => [route, pathOf(route, existing), fields] as const))).toEqual([]);
    const query = new URLSearchParams({ ...fields, to: number }).toString();
    const pages = all.filter((route) => route.startsWith('GET'));
    expect(await failing(pages.map((route) => [route, `${pathOf(route, existing)}?${query}`] as const))).toEqual([]);
  });
});

test('a change whose path cannot stand in a header is refused before it takes effect', async () => {
  const issue = ['token', 'issue', '--email', token.email, '--agent', 'Other', '--yes'];
  const { id } = await desk.json<{ id: string }>(...issue);
  for (const sealed of ['x%0d%0aY', 'x', `${randomUUID()}%0a`])
    expect((await send('POST', `/people/of/${sealed}/tokens/${id}/end`)).status).toBe(404);
  expect(await desk.json('token', 'show', id)).toMatchObject({ state: 'active' });
});

test('a path that cannot be decoded, or names no text, gives a page', async () => {
  for (const path of ['/queue/%ff', '/queue/x', '/%', `/articles/org/${'a'.repeat(600)}`]) {
    const { status, text } = await root.get(path);
    expect([path, status, text]).toEqual([path, 404, expect.stringMatching(/^<!doctype html>.*There is no /is)]);
  }
  const { status, text } = await send('POST', '/people/of/%ff/tokens/x/end');
  expectPage({ status, text }, 404, 'There is no such page');
});

test('a form without the revision for which it was filled in changes nothing', async () => {
  for (const page of ['edit', 'archive', 'restore'])
    for (const revision of ['', 'abc', '0']) {
      const { status, text } = await send('POST', `/articles/org/known/${page}`, { revision, checked: 'yes' });
      expectPage({ status, text }, 400, 'must be the number of a revision');
    }
});

test('an upload that is no form with files is refused', async () => {
  const headers = { cookie: cookieOf(root), 'content-type': 'multipart/form-data; boundary=B' };
  const { status } = await fetch(`${web.url}/articles/files`, { method: 'POST', headers, body: 'no form' });
  expect(status).toBe(400);
});

test('the events of the queue end with the session, before they contain another change', async () => {
  const moderator = await web.signIn('mona', 'moderator');
  const events = await fetch(`${web.url}/queue/events`, { headers: { cookie: cookieOf(moderator) } });
  await moderator.submit(await moderator.get('/'), '/sign-out');
  await contribute(system, token.token, newStory());
  expect(await events.text()).toMatch(/^(:\n\n)+event: bye\ndata:\n\n$/);
});

function cookieOf({ cookies }: typeof root) {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}
