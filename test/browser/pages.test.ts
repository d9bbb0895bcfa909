import { randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import {
  askForAccess,
  confirmationMail,
  confirmUrl,
  contribute,
  decide,
  exchangeToken,
  freshEmail,
  newStory,
} from '../harness/agent.js';
import { putArticle } from '../harness/articles.js';
import { call } from '../harness/http.js';
import { ownChromium, ownGateway, ownSystem } from '../harness/own.js';
import { seedReading } from '../harness/reading.js';
import { routes } from '../harness/route-table.js';
import { asTester } from '../harness/system.js';
import { until } from '../harness/until.js';
import { expectAccessible } from './accessible.js';
import { everyPage, pageless } from './every-page.js';
import { follow } from './follow.js';
import { expectValidHtml } from './valid-html.js';

const browser = await ownChromium();
const system = await ownSystem({ env: { PAGES_PER_ADDRESS: '100000' } });
// This gateway shows two pages per address and then refuses, so that the test sees the refusal.
const lone = await ownGateway({ PAGES_PER_ADDRESS: '2' });
const scripted = await browser.newContext();
const plain = await browser.newContext({ javaScriptEnabled: false });
await askFirst();
const reading = await seedReading(system);
const reply = await publish();

/** The properties that the test checks on every page. */
interface Shown {
  readonly path: string;
  readonly title: string;
  readonly h1: string;
  readonly lang?: string;
  readonly status?: number;
  /** The path of the canonical URL; undefined if search engines must not index the page. */
  readonly canonical?: string;
}

afterEach(async () => {
  for (const page of browser.contexts().flatMap((context) => context.pages())) await page.close();
});

const home = 'Field experiences from enterprise practice';
const rows: readonly [path: string, title: string, more?: Partial<Shown>][] = [
  ['/', 'Community Knowledge Service · Organisation', { canonical: '/?site=org', h1: home }],
  ['/?site=io', 'Community Knowledge Service · Engineering', { canonical: '/?site=io', h1: home }],
  ['/articles', 'Articles on Organisation', { canonical: '/articles?site=org' }],
  ['/articles?tag=rollout', 'Articles tagged rollout on Organisation', { canonical: '/articles?site=org&tag=rollout' }],
  ['/articles?q=wombat', 'Articles about “wombat” on Organisation'],
  ['/articles?q=nothinglikeit', 'Articles about “nothinglikeit” on Organisation'],
  ['/search', 'Search', { canonical: '/search?site=org' }],
  ['/search?q=wombat', 'Search for “wombat” on Organisation', { h1: 'Search for “wombat”' }],
  [
    '/search?q=wombat&site=all&kind=article',
    'Search for “wombat” in articles on both sites',
    { h1: 'Search for “wombat”' },
  ],
  ['/search?q=nothinglikeit', 'Search for “nothinglikeit” on Organisation', { h1: 'Search for “nothinglikeit”' }],
  ['/articles/wide-things?site=org', 'Breite Dinge', { canonical: '/articles/wide-things?site=org', lang: 'de' }],
  [
    '/articles?page=2',
    'Articles on Organisation, page 2',
    { canonical: '/articles?site=org&page=2', h1: 'Articles on Organisation' },
  ],
  [
    '/articles?language=de&author=Ada+Example',
    'Articles in German by Ada Example on Organisation',
    { canonical: '/articles?site=org&language=de&author=Ada%20Example' },
  ],
  [
    '/articles?author=Nobody&page=3',
    'Articles by Nobody on Organisation, page 3',
    { h1: 'Articles by Nobody on Organisation' },
  ],
  ['/tags', 'Tags, languages and authors on Organisation', { canonical: '/tags?site=org' }],
  ['/objects', 'Stories, replies and knowledge on Organisation', { canonical: '/objects?site=org' }],
  ['/objects?kind=story&site=io', 'Stories on Engineering', { canonical: '/objects?site=io&kind=story' }],
  ['/prompts', 'Questions to the community on Organisation', { canonical: '/prompts?site=org' }],
  ['/prompts?site=io', 'Questions to the community on Engineering', { canonical: '/prompts?site=io' }],
  ['/for-agents', 'For agents, and for the people behind them', { canonical: '/for-agents?site=org' }],
  ['/about', 'About', { canonical: '/about?site=org' }],
  ['/privacy', 'What is kept about you', { canonical: '/privacy?site=org' }],
  ['/nowhere', 'Nothing is here', { status: 404 }],
  ['/articles?kind=x&site=com', 'This URL is not right', { status: 400 }],
];
const pages = rows.map(([path, title, more]): Shown => ({ path, title, h1: title, ...more }));
test.each(pages)('$path', async (shown) => {
  await expectShown(`${system.url}${shown.path}`, shown);
});

test('every kind of page is valid HTML', async () => {
  const kinds = everyPage(system, reading);
  // Routes below /api are for programs. Those with pages are in `kinds`.
  const shown = (await routes()).filter((route) => !/^(HEAD|OPTIONS) | \/(api|assets)\//.test(route));
  const expected = [...shown, ...Object.keys(kinds)].filter((route) => !pageless.has(route));
  expect([...new Set(expected)].sort()).toEqual(Object.keys(kinds).sort());
  for (const route of (await routes()).filter((each) => each.startsWith('GET ') && kinds[each] === undefined)) {
    const answer = await call(`${system.url}${route.slice(4)}`, { headers: { accept: 'text/html' } });
    expect([route, answer.headers.get('content-type')]).not.toEqual([route, expect.stringContaining('html')]);
  }
  for (const [route, ask] of Object.entries(kinds)) {
    for (const { status, headers, text } of await ask()) {
      expect([route, headers.get('content-type'), status < 500]).toEqual([route, 'text/html; charset=utf-8', true]);
      await expectValidHtml(text, route);
    }
  }
});

test('no two pages have the same title', () => {
  expect(new Set(pages.map(({ title }) => title)).size).toBe(pages.length);
});

test('an object and a reply have the right titles', async () => {
  const object = `/objects/${reading.objectId}`;
  const title = 'A checklist';
  await expectShown(`${system.url}${object}`, { path: object, title, h1: title, canonical: object });
  const path = `/objects/${reply}`;
  const of = { title: 'Reply to: What did your last rollout teach you?', h1: 'A reply by Ilse Brandt' };
  await expectShown(`${system.url}${path}`, { path, ...of, canonical: path });
});

test('failed services and too many requests show an error page', async () => {
  const service = 'Community Knowledge Service · Organisation';
  const slower = 'A little slower, please';
  for (const [path, title, more] of [
    ['/', service, { h1: home, canonical: '/?site=org' }],
    ['/articles/x', 'Not right now', { status: 503 }],
    ['/', slower, { status: 429 }],
    ['/prompts', slower, { status: 429 }],
  ] as const)
    await expectShown(`${lone.url}${path}`, { path, title, h1: title, ...more }, lone.url);
});

test('the pages of a consent have the right titles', async () => {
  const email = freshEmail();
  const purpose = 'To hand in what we wrote.';
  const { deviceCode } = await askForAccess(system, email, { agent_name: 'Field Notes (v2)', purpose });
  const link = confirmUrl(system, await confirmationMail(system, email));
  const asks = 'An AI agent asks to act in your name';
  const page = await expectShown(link, { path: '', title: asks, h1: asks });
  await follow(page.getByRole('button', { name: 'Yes, let it act for me' }));
  const given = 'You gave this agent access';
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(given);
  await expectAccessible(page);
  const access = (await page.getByRole('link', { name: 'See it or stop it' }).getAttribute('href')) ?? '';
  const { token } = (await exchangeToken(system, deviceCode)).json;
  for (const type of ['story', 'inquiry']) {
    const body = `## A heading\n\n${'Words that fill a long text. '.repeat(30)}${'x'.repeat(200)}`;
    await contribute(system, token, type === 'story' ? newStory({ body, name: 'N'.repeat(100) }) : { type, body });
  }
  const own = 'What agents may do in your name';
  await expectShown(access, { path: '', title: own, h1: own });
  const cut = 'This link is not whole';
  const confirm = `${system.url}/api/v1/agent/authorize/confirm`;
  await expectShown(confirm, { path: '', title: cut, h1: cut, status: 400 });
});

test('without script and style a page still has a sensible order', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  await context.route('**/*.css', (route) => route.abort());
  const orders: Record<string, readonly string[]> = {
    '/': [
      'Skip to the text',
      'Community Knowledge Service',
      'For agents',
      'Field experiences',
      'Search articles, stories and replies',
      'Chosen by the editors',
      'Start here.',
      'Latest articles on Organisation',
      'About field-note-2',
      'Asked now',
      'What did your last rollout teach you?',
      'From the community',
      'We wrote it on the wall.',
      'Knowledge, by the editors',
      'A checklist',
      'Latest on Engineering',
      'data, never instructions',
    ],
    '/articles/wide-things': [
      'Articles on Organisation',
      'Breite Dinge',
      'Ada Example',
      'Ein breiter Text',
      'Tags',
      'testing',
      'through the API',
    ],
    '/prompts': [
      'Questions to the community on Organisation',
      'Asked now',
      'What did your last rollout teach you?',
      'One reply',
      'We wrote it on the wall.',
      'Read the reply of Ilse Brandt',
      'community',
      'Asked before',
      'What did you stop doing?',
      'How to reply',
    ],
  };
  for (const [path, order] of Object.entries(orders)) {
    const page = await context.newPage();
    // A busy service may leave out a part of a page.
    const text = await until(`all parts of ${path}`, async () => {
      await page.goto(`${system.url}${path}`);
      const shown = (await page.locator('body').innerText()).replace(/\s+/g, ' ');
      return order.every((words) => shown.includes(words)) && shown;
    });
    let at = -1;
    for (const words of order) {
      const next = text.indexOf(words, at + 1);
      expect([path, words, next > at]).toEqual([path, words, true]);
      at = next;
    }
    await page.close();
  }
  await context.close();
});

test('a reader searches, pages and changes the site by keyboard, without script', async () => {
  const page = await plain.newPage();
  await page.goto(`${system.url}/articles`);
  await page.keyboard.press('Tab');
  expect(await page.locator(':focus').innerText()).toBe('Skip to the text');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.locator(':focus').getAttribute('name')).toBe('q');
  await page.keyboard.type('wombat');
  await Promise.all([page.waitForURL(/q=wombat/), page.keyboard.press('Enter')]);
  expect(await page.locator('.entries-list > li').count()).toBe(7);
  await follow(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Articles' }));
  const first = await titlesOf(page);
  await follow(page.getByRole('link', { name: 'Older', exact: true }));
  const older = await titlesOf(page);
  expect(new Set([...first, ...older]).size).toBe(first.length + older.length);
  expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(`${system.url}/articles?site=org&page=2`);
  await follow(page.getByRole('link', { name: 'Newer', exact: true }));
  expect(await titlesOf(page)).toEqual(first);
  await follow(page.getByRole('navigation', { name: 'Site' }).getByRole('link', { name: 'Engineering' }));
  expect(await titlesOf(page)).toEqual(['About postmortem-1', 'About postmortem-2']);
});

test('an error page stays on its site, and so does its search', async () => {
  const page = await plain.newPage();
  await page.goto(`${system.url}/nothing?site=io`);
  expect(await page.locator('.sites [aria-current]').innerText()).toBe('Engineering');
  expect(await page.locator('input[name=site]').getAttribute('value')).toBe('io');
});

test('a long article links to its parts, and every article to related ones', async () => {
  const page = await plain.newPage();
  await page.goto(`${system.url}/articles/many-parts?site=org`);
  await page.getByRole('navigation', { name: 'In this article' }).getByRole('link', { name: 'Part 3' }).click();
  expect(new URL(page.url()).hash).toBe('#part-3');
  expect(await page.locator('#part-3').innerText()).toBe('Part 3');
  const older = page.getByRole('navigation', { name: 'Articles before and after' }).locator('a[rel=next]');
  const title = await older.innerText();
  await follow(older);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(title);
});

test('a printed page shows its address and no buttons', async () => {
  const page = await plain.newPage();
  await page.emulateMedia({ media: 'print' });
  await page.goto(`${system.url}/articles/wide-things?site=org`);
  expect(await page.locator('.printed').isVisible()).toBe(true);
  for (const hidden of ['.sections', '.sites', '#forAgents', 'footer .links', '.onward']) {
    expect([hidden, await page.locator(hidden).isVisible()]).toEqual([hidden, false]);
  }
});

test('the feed and the pictures can be loaded', async () => {
  const feed = await call(`${system.url}/feed.xml?site=org`);
  expect([feed.status, feed.headers.get('content-type')]).toEqual([200, 'application/atom+xml; charset=utf-8']);
  expect(feed.text).toContain('<title>Breite Dinge</title>');
  for (const path of ['/favicon.ico', '/apple-touch-icon.png', '/preview.png', '/.well-known/security.txt']) {
    expect([path, (await call(`${system.url}${path}`)).status]).toEqual([path, 200]);
  }
});

test('nothing moves with reduced motion, and the focus is visible', async () => {
  const page = await scripted.newPage();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto(`${system.url}/prompts`);
  expect(await page.evaluate('getComputedStyle(document.documentElement).scrollBehavior')).toBe('auto');
  for (let tabs = 0; tabs < 6; tabs += 1) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
  }
});

/** Opens a page and checks the rules for all pages. The page stays open until the test ends. */
async function expectShown(url: string, shown: Shown, origin = system.url): Promise<Page> {
  const { title, h1, lang = 'en', status = 200, canonical } = shown;
  const page = await scripted.newPage();
  const wrong: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) wrong.push(`asked for ${request.url()}`);
  });
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('console', (message) => {
    // Chromium reports an error status of the page itself as a failed resource, which is expected here.
    const own = status >= 400 && message.location().url === url;
    if (!own) wrong.push(message.text());
  });
  const answer = await page.goto(url);
  expect(answer?.status()).toBe(status);
  const service = 'Community Knowledge Service';
  expect(await page.title()).toBe(title.startsWith(service) ? title : `${title} · ${service}`);
  expect(await page.locator('h1').allInnerTexts()).toEqual([h1]);
  expect(await page.locator('html').getAttribute('lang')).toBe(lang);
  const links = await page.locator('link[rel=canonical]').all();
  const urls = await Promise.all(links.map((link) => link.getAttribute('href')));
  expect(urls).toEqual(canonical === undefined ? [] : [`${origin}${canonical}`]);
  expect(await page.locator('meta[name=robots]').count()).toBe(canonical === undefined ? 1 : 0);
  await expectAccessible(page);
  await expectValidHtml((await answer?.text()) ?? '');
  expect(wrong).toEqual([]);
  return page;
}

function titlesOf(page: Page): Promise<string[]> {
  return page.getByRole('heading', { level: 2 }).allInnerTexts();
}

/** Opens a prompt. The next prompt closes it. */
async function askFirst(): Promise<void> {
  const question = 'What did you stop doing?';
  const over = { id: randomUUID(), site: Site.ORG, question, opensAt: undefined, closesAt: undefined, activate: true };
  await system.clients.prompts.createPrompt(over, asTester());
}

/**
 * Publishes texts that are difficult to show, enough for a second list page, and a reply. Returns the
 * id of the reply.
 */
async function publish(): Promise<string> {
  const word = 'Donaudampfschifffahrtsgesellschaftskapitänsmütze'.repeat(3);
  const cells = Array.from({ length: 9 }, (_, at) => `Spalte-${at}-ohne-Umbruch`).join(' | ');
  const body = `Ein breiter Text, ${word}.\n\n# Eins\n\n### Drei\n\n| ${cells} |\n|${'---|'.repeat(9)}\n| ${cells} |\n\n\`\`\`\n${'x'.repeat(400)}\n\`\`\`\n\n> Zitat mit \`${word}\`\n\n[Ein Link](https://example.org/)`;
  const wide = { slug: 'wide-things', title: 'Breite Dinge', language: 'de', body };
  await putArticle(system, { ...wide, publishedAt: new Date('2026-01-02T00:00:00Z') });
  const parts = Array.from({ length: 6 }, (_, at) => `## Part ${at + 1}\n\nSome words.`).join('\n\n');
  const long = { slug: 'many-parts', title: 'Many parts', body: parts, publishedAt: new Date('2026-01-01T00:00:00Z') };
  await putArticle(system, long);
  const more = Array.from({ length: 15 }, (_, at) => `older-${at}`);
  await Promise.all(more.map((slug) => putArticle(system, { slug, publishedAt: new Date('2025-01-02T00:00:00Z') })));
  const token = await system.issueToken(freshEmail());
  const fields = { type: 'prompt_reply', body: 'We wrote it on the wall.', name: 'Ilse Brandt' };
  // Equal texts get the first response again (gateway/PROTOCOL.md#replays), so this may send the reply twice on a busy
  // machine.
  const { id } = await until('the reply to be taken', async () => {
    return (await contribute(system, token, fields)).json.contribution as { id: string } | undefined;
  });
  await decide(system, id, Decision.APPROVE_AND_PUBLISH);
  const isPublished = async () => (await call(`${system.url}/api/v1/objects/${id}`)).status === 200;
  await until('the reply to be published', isPublished);
  return id;
}
