import { ListContributionRecordsRequest } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contribute, freshEmail, newStory } from '../harness/agent.js';
import { launchChromium } from '../harness/chromium.js';
import { asTester, type System, startSystem } from '../harness/system.js';
import { until } from '../harness/until.js';
import { startWebDesk, type WebDesk } from '../harness/web-desk.js';
import { expectAccessible } from './accessible.js';

let system: System;
let desk: WebDesk;
let browser: Browser;
let token: string;
beforeAll(async () => {
  browser = await launchChromium();
  system = await startSystem();
  desk = await startWebDesk(system);
  token = await system.issueToken(freshEmail());
});
afterAll(async () => {
  await desk?.close();
  await browser?.close();
  await system?.close();
});

test('an undo without an answer is sent again, counts once, and the moderator reads its failure', async () => {
  const title = 'Undone on a bad line';
  const page = await openItem(title);
  await page.keyboard.press('p');
  await undoButton(page).waitFor();
  // The first undo arrives and its answer is lost.
  const sent: (string | undefined)[] = [];
  await page.route('**/undo*', async (route) => {
    sent.push(route.request().headers()['x-request-id']);
    if (sent.length === 1) await route.fetch({ maxRedirects: 0 });
    if (sent.length < 3) await route.abort();
    else await route.continue();
  });
  await page.keyboard.press('u');
  await page.locator('#outcome').getByText('There is no answer yet.').waitFor();
  await page.keyboard.press('u');
  await until('the item to be open again', async () => (await page.locator('#item-title').textContent()) === title);
  await page
    .locator('#outcome')
    .getByText(/^Undone: /)
    .waitFor();
  expect(new Set(sent).size, `one key of ${sent}`).toBe(1);
  expect(await stateOf(title)).toBe('pending_review');
  expect(await page.locator('#messages').textContent()).toBe('');

  await page.clock.install();
  await page.keyboard.press('p');
  await undoButton(page).waitFor();
  await page.unroute('**/undo*');
  await page.route('**/undo*', (route) => route.fulfill({ status: 502, body: 'Bad gateway' }));
  await page.keyboard.press('u');
  await page.locator('#outcome').getByText('There is no answer yet.').waitFor();
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
  await page.route('**/next?*decided=*', (route) => (lost++ < 2 ? route.abort() : route.continue()));
  await page.keyboard.press('p');
  await undoButton(page).waitFor();
  expect(lost).toBeGreaterThan(2);
  await page.keyboard.press('u');
  await until('the undo to be stored', async () => (await stateOf(title)) === 'pending_review');
});

test('what was not sent is named, whatever it was, and what was typed stays', async () => {
  const page = await openItem('Read on a bad line');
  await page.context().route('**/queue/**', (route) => route.abort());
  await page.keyboard.press('j');
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
  await page
    .locator('#outcome')
    .getByText(/^Approved: /)
    .waitFor();
  expect(await page.locator('#outcome').textContent()).not.toContain('being sent');
  await undoButton(page).click();
  await page
    .locator('#outcome')
    .getByText(/^Undone: /)
    .waitFor();
  expect(await stateOf(title)).toBe('pending_review');
});

function undoButton(page: Page) {
  return page.locator('#outcome').getByRole('button', { name: 'Undo' });
}

function message(page: Page, words: string | RegExp) {
  return page.locator('#messages').getByText(words);
}

async function signIn(prepare?: (context: BrowserContext) => Promise<unknown>): Promise<Page> {
  const context = await browser.newContext();
  await prepare?.(context);
  const page = await context.newPage();
  page.on('dialog', (dialog) => dialog.accept());
  await page.goto(await desk.signInLink('ada', 'moderator'));
  await page.getByRole('button').first().click();
  await page.getByRole('heading', { name: 'Welcome, ada' }).waitFor();
  return page;
}

/** Sends a story and another one, and opens the first. */
async function openItem(title: string, prepare?: (context: BrowserContext) => Promise<unknown>): Promise<Page> {
  for (const each of [title, `After: ${title}`]) {
    const { status } = await contribute(system, token, newStory({ title: each, body: `What we did. ${each}.` }));
    expect(status).toBe(201);
  }
  const page = await signIn(prepare);
  await page.goto(`${desk.url}/queue`);
  await page.getByRole('link', { name: title, exact: true }).click();
  await page.locator('#item-title', { hasText: title }).waitFor();
  return page;
}

async function stateOf(title: string): Promise<string> {
  const any = ListContributionRecordsRequest.fromPartial({});
  const { contributions } = await system.clients.moderation.listContributionRecords(any, asTester());
  const found = contributions.find(({ contribution }) => contribution?.title === title);
  const state = `${found?.contribution?.state}`.replace('CONTRIBUTION_STATE_', '').toLowerCase();
  return found?.held === undefined ? state : `${state} held`;
}
