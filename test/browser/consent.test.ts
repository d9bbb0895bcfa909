import type { Page } from 'playwright-core';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import {
  accessPageLink,
  askForAccess,
  confirmationMail,
  confirmUrl,
  consent,
  contribute,
  exchangeToken,
  freshEmail,
  newStory,
  untilRefused,
} from '../harness/agent.js';
import { expectFailure, expectWords } from '../harness/http.js';
import { ownChromium, ownSystem } from '../harness/own.js';
import { startSystem } from '../harness/system.js';
import { until } from '../harness/until.js';
import { expectAccessible } from './accessible.js';
import { firstTap } from './taps.js';

const browser = await ownChromium();
const system = await ownSystem();
let foreign: string[] = [];

afterEach(() => {
  expect(foreign, 'requests to elsewhere').toEqual([]);
  foreign = [];
});

// These tests use no script, a width of 360 px and only the keyboard.
test('the page shows who requests what, Confirm gives access, and the link then shows the result', async () => {
  const email = freshEmail();
  const purpose = '<b>To hand in</b> what we wrote.';
  const { deviceCode, userCode } = await askForAccess(system, email, { agent_name: 'Field Notes (v2)', purpose });
  const url = confirmUrl(system, await confirmationMail(system, email));
  const page = await open(url);
  const shown = ['Field Notes (v2)', email, purpose, userCode, 'write public stories', 'we have not checked this'];
  expectWords(await textOf(page), ...shown);
  await expectReadable(page);
  await press(page, 'Yes, let it act for me');
  await expectTitle(page, 'You gave this agent access');
  await expectReadable(page);
  expect((await exchangeToken(system, deviceCode)).status).toBe(200);

  await follow(page, 'See it or stop it');
  await expectTitle(page, 'What agents may do in your name');
  expect(await textOf(page)).toContain('Field Notes (v2)');

  const again = await open(url);
  await expectTitle(again, 'You already decided');
  await press(again, 'Stop it now');
  await expectTitle(again, '✓ Stopped');
  await expectReadable(again);
});

test.each([
  [360, 740],
  [1280, 600],
])('the second tap of Yes hits nothing that came after the first, at %i × %i', async (width, height) => {
  const { url, deviceCode } = await asked();
  const page = await open(url);
  await page.setViewportSize({ width, height });
  const tap = await firstTap(page.getByRole('button', { name: 'Yes, let it act for me' }));
  await expectTitle(page, 'You gave this agent access');
  const controls = "[...document.querySelectorAll('.consent :is(form:not(details *) button, summary, a.button)')]";
  const takes = await page.evaluate(`${controls}.map((each) => getComputedStyle(each).pointerEvents)`);
  expect(new Set(takes as string[])).toEqual(new Set(['none']));
  await tap.second();
  await expectTitle(page, 'You gave this agent access');
  // Even afterwards nothing stands there that ends the access.
  expect(await page.getByRole('button', { name: 'Stop it now' }).isVisible()).toBe(false);
  expect((await exchangeToken(system, deviceCode)).status).toBe(200);
  await tap.end();
  await page.getByText('Stop it', { exact: true }).click();
  await page.getByRole('button', { name: 'Stop it now' }).click();
  await expectTitle(page, '✓ Stopped');
});

test('Decline is as easy to reach as Confirm, and ends the request', async () => {
  const { url, deviceCode } = await asked();
  const page = await open(url);
  const [confirm, decline] = await Promise.all(['Yes, let it act for me', 'No'].map((name) => boxOf(page, name)));
  expect(decline?.width).toBeCloseTo(confirm?.width ?? 0, 0);
  expect([decline?.y, decline?.height]).toEqual([confirm?.y, confirm?.height]);
  await press(page, 'No');
  await expectTitle(page, 'You said no');
  await expectReadable(page);
  expectFailure(await exchangeToken(system, deviceCode), 403, 'authorization_denied');
  await expectTitle(await open(url), 'You already decided');
});

test('a wrong or truncated link gets an explanation', async () => {
  const confirm = `${system.url}/api/v1/agent/authorize/confirm`;
  const pages = [
    [`${confirm}?code=wrong`, 'This link does not work'],
    [confirm, 'This link is not whole'],
    [`${system.url}/access?key=wrong`, 'This link has ended'],
    [`${system.url}/access/link`, 'Mail me the link to my page'],
  ] as const;
  for (const [url, title] of pages) {
    const page = await open(url);
    await expectTitle(page, title);
    await expectReadable(page);
  }
});

test('No works with an expired link', async () => {
  const { url, deviceCode, email } = await asked({ agent_name: 'Late Owl' });
  await expireCodes(email);
  const page = await open(url);
  expect(await textOf(page)).toContain('“Late Owl” asked to act in your name');
  await press(page, 'No');
  await expectTitle(page, 'You said no');
  expectFailure(await exchangeToken(system, deviceCode), 403, 'authorization_denied');
});

test('an expired link can send a new one to the same mailbox, which works', async () => {
  const { url, deviceCode, email } = await asked();
  await expireCodes(email);
  const page = await open(url);
  await expectTitle(page, 'This link is too old to say yes');
  await expectReadable(page);
  await press(page, 'Send a new link to the same mailbox');
  await expectTitle(page, 'A new link is on its way');
  await expectReadable(page);
  const fresh = await open(confirmUrl(system, await confirmationMail(system, email, 1)));
  await press(fresh, 'Yes, let it act for me');
  await expectTitle(fresh, 'You gave this agent access');
  expect((await exchangeToken(system, deviceCode)).status).toBe(200);
});

test('the access page lists grants and contributions, and ends an access', async () => {
  const { token, email } = await consent(system, freshEmail(), { agent_name: 'Night Shift' });
  await contribute(system, token, newStory({ title: 'A story to be seen here' }));
  const page = await open(await accessPageLink(system, email));
  const shown = [email, 'Night Shift', 'A story to be seen here', 'It waits for a moderator', 'shown without a name'];
  expectWords(await textOf(page), ...shown);
  expect(await page.content()).not.toContain(token);
  await expectReadable(page);
  await press(page, 'Withdraw (A story to be seen here)');
  expect(await textOf(page)).toContain('✓ Withdrawn. “A story to be seen here”');
  await expectReadable(page);
  await press(page, 'Stop it (Night Shift)');
  await expectTitle(page, 'What agents may do in your name');
  expect(await textOf(page)).toMatch(/Stopped\. “Night Shift” can no longer act for you/);
  expect(await textOf(page)).toContain('You ended it.');
  await untilRefused(system, token);
});

test('with CONFIRM_USER_CODE=page the human types the code of the agent; for a wrong one the page shows an error beside the field', async () => {
  const strict = await startSystem({ env: { CONFIRM_USER_CODE: 'page' } });
  onTestFinished(() => strict.close());
  const email = freshEmail();
  const { deviceCode, userCode } = await askForAccess(strict, email);
  const url = confirmUrl(strict, await confirmationMail(strict, email));
  // axe-core needs timers, which do not work in a page without script. So it runs in a second page.
  const looked = await browser.newPage();
  await looked.goto(url);
  await expectAccessible(looked);
  const page = await open(url, strict);
  expect(await page.content()).not.toContain(userCode);
  await focus(page, page.getByLabel('Type the code that your agent shows you'));
  await page.keyboard.type('bbbb-bbbb');
  await press(page, 'Yes, let it act for me');
  expect(await page.title()).toMatch(/^Error: /);
  expect(await textOf(page)).toContain(
    'That is not the code. Look again at what your agent shows. You can try 4 more times.',
  );
  await expectReadable(page);
  await focus(page, page.getByLabel('Type the code that your agent shows you'));
  await page.keyboard.type(userCode.toLowerCase().replace('-', ''));
  await enter(page);
  await expectTitle(page, 'You gave this agent access');
  expect((await exchangeToken(strict, deviceCode)).status).toBe(200);
});

/** Asks for access. Returns the mailed link, too. */
async function asked(fields: Record<string, unknown> = {}) {
  const email = freshEmail();
  const { deviceCode } = await askForAccess(system, email, fields);
  return { email, deviceCode, url: confirmUrl(system, await confirmationMail(system, email)) };
}

async function open(url: string, from = system): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  page.on('request', (request) => {
    if (!request.url().startsWith(`${from.url}/`)) foreign.push(request.url());
  });
  await page.goto(url);
  return page;
}

type Target = ReturnType<Page['getByRole']>;

/** Presses Tab until an element has the focus. */
async function focus(page: Page, target: Target): Promise<void> {
  for (let tabs = 0; tabs < 20; tabs += 1) {
    await page.keyboard.press('Tab');
    if ((await target.and(page.locator(':focus')).count()) === 1) return;
  }
  throw new Error('Twenty times Tab does not lead there.');
}

/** Presses Enter and waits for the next page. */
async function enter(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
}

async function press(page: Page, name: string): Promise<void> {
  await focus(page, page.getByRole('button', { name }));
  await enter(page);
}

async function follow(page: Page, name: string): Promise<void> {
  await focus(page, page.getByRole('link', { name }));
  await enter(page);
}

function boxOf(page: Page, name: string) {
  return page.getByRole('button', { name }).boundingBox();
}

function textOf(page: Page): Promise<string> {
  return page.locator('body').innerText();
}

async function expectTitle(page: Page, title: string): Promise<void> {
  await expect.poll(() => page.getByRole('heading', { level: 1 }).innerText()).toBe(title);
}

/** Checks that a page has a style sheet, does not scroll sideways, and has large enough controls for a finger. */
async function expectReadable(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  expect(await page.evaluate('document.styleSheets.length')).toBe(1);
  for (const button of await page.getByRole('button').all()) {
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  }
}

/** Changes the mailed codes of a request so that they seem half an hour old. */
async function expireCodes(email: string): Promise<void> {
  const authorizations = system.db('identity').collection('authorizations');
  const old = { $set: { 'codes.$[].goodUntil': new Date(Date.now() - 1_000) } };
  // Waits until the mail is stored as sent, because only then the lifetime of its code begins.
  await until('the mail to count as sent', async () => {
    const { modifiedCount } = await authorizations.updateOne({ email, 'mails.state': 'sent' }, old);
    return modifiedCount === 1;
  });
}
