import type { Role } from '@knowledge/runtime/grpc';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { until } from '../harness/until.js';
import { expectAccessible } from './accessible.js';
import { outcomeWith, press, startDeskWindows } from './desk-windows.js';
import { firstTap } from './taps.js';

const windows = await startDeskWindows();
const { desk, browser, send, stateOf } = windows;

test('the second click of a double click decides nothing, and the page does not move', async () => {
  const title = 'Clicked twice';
  const page = await openItem(title);
  for (const [width, height] of [
    [1280, 700],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    const top = () => page.evaluate("document.getElementById('workspace').getBoundingClientRect().top + scrollY");
    const before = await top();
    await pointAtApprove(page);
    await click(page, 1);
    await page.locator('.item:not([aria-busy=true]) #item-title', { hasText: `After: ${title}` }).waitFor();
    expect(await top()).toBe(before);
    await pointAtApprove(page);
    await click(page, 2);
    await undoButton(page).waitFor();
    expect(await top()).toBe(before);
    expect(await stateOf(`After: ${title}`)).toBe('pending_review');
    await press(page, 'u');
    await page.locator('#item-title', { hasText: new RegExp(`^${title}`) }).waitFor();
  }
});

test('the second press of a form without a script changes nothing more', async () => {
  const [first, second] = await Promise.all(['zoe', 'zora'].map((name) => desk.signIn(name, 'reader')));
  const page = await signIn((context) => context.route('**/*.js', (route) => route.abort()), 'administrator');
  await page.goto(`${desk.url}/admin`);
  const tap = await firstTap(page.getByRole('button', { name: /^End the session of zo/ }).first());
  await tap.second();
  await page.goto(`${desk.url}/admin`);
  const left = await Promise.all([first, second].map(async (each) => (await each?.get('/'))?.status));
  expect(left.sort()).toEqual([200, 303]);
});

test('a note that is sent twice is stored once', async () => {
  const page = await openItem('With one note');
  const [path] = new URL(page.url()).pathname.split('?');
  const fields = await page.evaluate("[...new FormData(document.querySelector('.notes form'))]");
  const form = Object.fromEntries(fields as [string, string][]);
  for (const text of ['One note', 'One note', 'Another note'])
    expect((await page.request.post(`${desk.url}${path}/notes`, { form: { ...form, text } })).status()).toBe(200);
  await page.reload();
  expect(await page.locator('.notes .asis').allTextContents()).toEqual(['One note', 'Another note']);
});

test('an undo without an answer is sent again, counts once, and the moderator reads its failure', async () => {
  const title = 'Undone on a bad line';
  const page = await openItem(title);
  await press(page, 'p');
  await undoButton(page).waitFor();
  // The first undo arrives and its answer is lost.
  const sent: (string | undefined)[] = [];
  await page.route('**/undo*', async (route) => {
    sent.push(route.request().headers()['x-request-id']);
    if (sent.length === 1) await route.fetch({ maxRedirects: 0 });
    if (sent.length < 3) await route.abort();
    else await route.continue();
  });
  await press(page, 'u');
  await outcomeWith(page, 'There is no answer yet.');
  const ahead = page.waitForResponse((response) => /\/next(?!.*done=)/.test(response.url()));
  await press(page, 'u');
  await until('the item to be open again', async () => (await page.locator('#item-title').textContent()) === title);
  await outcomeWith(page, /^Undone: /);
  expect(new Set(sent).size, `one key of ${sent}`).toBe(1);
  expect(await stateOf(title)).toBe('pending_review');
  expect(await page.locator('#messages').textContent()).toBe('');

  // The page cannot stop a timer that began before this clock. Its next item would then hide the undo.
  await ahead;
  await page.clock.install();
  await press(page, 'p');
  await undoButton(page).waitFor();
  await page.unroute('**/undo*');
  await page.route('**/undo*', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await press(page, 'u');
  await outcomeWith(page, 'There is no answer yet.');
  const told = page.locator('#messages').getByText(/Your undo of .*Undone on a bad line.* got no answer/);
  await until('the failure to be shown', async () => {
    await page.clock.runFor(5_000);
    return told.isVisible();
  });
  await expectAccessible(page);
});

test('a decision whose next page is late can be undone still', async () => {
  const title = 'Decided on a bad line';
  const page = await openItem(title);
  await until('the next item to be loaded', () => page.evaluate("performance.getEntriesByType('resource').length > 3"));
  let lost = 0;
  await page.route('**/next?*done=*', (route) => (lost++ < 2 ? route.abort() : route.continue()));
  await press(page, 'p');
  await undoButton(page).waitFor();
  expect(lost).toBeGreaterThan(2);
  await press(page, 'u');
  await until('the undo to be stored', async () => (await stateOf(title)) === 'pending_review');
});

test('a decision whose answer is lost ends with a message at once, and what was typed stays', async () => {
  const sent = 'The last one that arrived';
  const page = await openItem(sent);
  await until('the next item to be loaded', () =>
    page.evaluate("performance.getEntriesByType('resource').some(({ name }) => name.includes('/next'))"),
  );
  // From now on nothing arrives but the first decision.
  await page.route('**/next*', (route) => route.abort());
  await press(page, 'p');
  await until('another item to be open', async () => (await page.locator('#item-title').textContent()) !== sent);
  await until('it to be seen', async () => (await page.locator('[data-unseen]').count()) === 0);
  const title = await page.locator('#item-title').textContent();
  await page.route('**/decision*', (route) => route.abort());
  await press(page, 'r', ...'Not for this site.', 'Control+Enter');
  const lost = message(page, /^Your decision on .* got no answer\. Send it again; it counts only once\./);
  await lost.waitFor({ timeout: 10_000 });
  expect(await lost.textContent()).toContain(title);
  expect(await page.locator('#reject-reason').inputValue()).toBe('Not for this site.');
  expect(await page.getByText('being sent').count()).toBe(0);
});

test('what was not sent is named, whatever it was, and what was typed stays', async () => {
  const page = await openItem('Read on a bad line');
  await page.context().route('**/queue/**', (route) => route.abort());
  await press(page, 'j');
  await message(page, 'The server did not answer, so Next was not opened. Try again.').waitFor();
  await page.locator('.list a[data-item]').first().click();
  await message(page, /^The server did not answer, so .* was not opened. Try again.$/)
    .nth(1)
    .waitFor();
  await page.locator('#note-text').fill('A note on a bad line');
  await page.getByRole('button', { name: 'Add the note' }).click();
  await message(page, /^Add the note was not sent: the server did not answer\./).waitFor();
  expect(await page.locator('#note-text').inputValue()).toBe('A note on a bad line');
  await expectAccessible(page);
  // A proxy answers with a page of its own.
  await page.context().unroute('**/queue/**');
  const proxied = { status: 502, contentType: 'text/html', body: '<center><h1>502 Bad Gateway</h1></center>' };
  await page.route('**/notes*', (route) => route.fulfill(proxied));
  await page.evaluate("document.getElementById('messages').replaceChildren()");
  await page.getByRole('button', { name: 'Add the note' }).click();
  await message(page, /^Add the note was not sent: the server did not answer\./).waitFor();
});

test('without its library the queue works as without a script', async () => {
  const title = 'Decided without htmx';
  const page = await openItem(title, (context) => context.route('**/assets/htmx*', (route) => route.abort()));
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await outcomeWith(page, /^Approved: /);
  expect(await page.locator('#outcome').textContent()).not.toContain('being sent');
  await undoButton(page).click();
  await outcomeWith(page, /^Undone: /);
  expect(await stateOf(title)).toBe('pending_review');
});

async function pointAtApprove(page: Page): Promise<void> {
  // A trial of Playwright would be a click for the script of the page.
  const button = page.getByRole('button', { name: 'Approve', exact: true });
  await button.scrollIntoViewIfNeeded();
  const takes = "getComputedStyle(document.querySelector('.decisions button')).pointerEvents";
  await until('the button to take clicks', async () => (await page.evaluate(takes)) === 'auto');
  const box = await button.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 9, (box?.y ?? 0) + 9);
}

async function click(page: Page, clickCount: number): Promise<void> {
  await page.mouse.down({ clickCount });
  await page.mouse.up({ clickCount });
}

function undoButton(page: Page) {
  return page.locator('#outcome').getByRole('button', { name: 'Undo' });
}

test('all windows of a browser share one stream of news, and count what their filter shows', async () => {
  const first = await openItem('Seen in many windows');
  const context = first.context();
  let streams = 0;
  context.on('request', (request) => {
    if (request.url().endsWith('/queue/events')) streams++;
  });
  await first.goto(`${desk.url}/queue`);
  // A browser opens six connections to a server.
  const paths = ['/queue', '/queue?type=story', '/queue?type=inquiry', '/queue', '/queue', '/queue'];
  const pages = await Promise.all(paths.map(() => context.newPage()));
  for (const [at, page] of pages.entries()) await page.goto(desk.url + paths[at]);
  const isNew = (page: Page) =>
    page
      .locator('#news')
      .getByText(/^\d+ new$/)
      .isVisible();
  const [plain, stories, inquiries] = pages as [Page, Page, Page];
  // A mailbox may send twenty a day.
  const news = (what: string, isSeen: () => Promise<boolean>) =>
    until(what, () => send(`Seen at ${Date.now()}`).then(isSeen), 15_000, 1_500);
  await news('in all windows', async () => (await isNew(first)) && (await isNew(plain)) && (await isNew(stories)));
  expect(await isNew(inquiries)).toBe(false);
  expect(streams).toBe(1);
  // The next window goes on when the first is closed.
  await first.close();
  await until('another stream', async () => streams === 2);
  const counted = await plain.locator('#news').textContent();
  await news('more news', async () => (await plain.locator('#news').textContent()) !== counted);
});

test('an import of too many or too large files is refused before it is sent', async () => {
  const page = await signIn(undefined, 'editor');
  await page.goto(`${desk.url}/articles/files`);
  let sent = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') sent++;
  });
  const file = (name: string, bytes: number) => ({ name, mimeType: 'text/markdown', buffer: Buffer.alloc(bytes, 'x') });
  const input = page.getByLabel('Files');
  const fault = () => page.evaluate("document.querySelector('[name=files]').validationMessage");
  await input.setInputFiles(Array.from({ length: 201 }, (_, at) => file(`${at}.md`, 10)));
  expect(await fault()).toBe('These are 201 files. At most 200 can be imported at a time.');
  await page.getByRole('button', { name: 'Only check' }).click();
  await input.setInputFiles([file('a.md', 5_000_000), file('b.md', 5_000_000)]);
  expect(await fault()).toBe('These files have 9.5 MB together. At most 8 MB can be imported at a time.');
  await page.getByRole('button', { name: 'Only check' }).click();
  expect(sent).toBe(0);
  await input.setInputFiles([file('a.md', 10)]);
  expect(await fault()).toBe('');
  await page.getByRole('button', { name: 'Only check' }).click();
  await page.getByRole('heading', { name: 'Checked, nothing is stored' }).waitFor();
});

function message(page: Page, words: string | RegExp) {
  return page.locator('#messages').getByText(words);
}

async function signIn(
  prepare?: (context: BrowserContext) => Promise<unknown>,
  role: Role = 'moderator',
): Promise<Page> {
  const context = await browser.newContext();
  await prepare?.(context);
  const page = await windows.signIn(context, 'ada', role);
  return page.on('dialog', (dialog) => dialog.accept());
}

/** Sends a story and another one, and opens the first. */
async function openItem(title: string, prepare?: (context: BrowserContext) => Promise<unknown>): Promise<Page> {
  for (const each of [title, `After: ${title}`]) await send(each);
  const page = await signIn(prepare);
  await page.goto(`${desk.url}/queue`);
  await page.getByRole('link', { name: title, exact: true }).click();
  await page.locator('#item-title', { hasText: title }).waitFor();
  return page;
}
