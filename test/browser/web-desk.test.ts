import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './accessible.js';
import { startDeskWindows } from './desk-windows.js';
import { follow } from './follow.js';
import { expectValidHtml } from './valid-html.js';

const { desk, browser } = await startDeskWindows();

test('one key on the printed link signs in; every page is accessible, valid, and runs no code but ours', async () => {
  const other = await desk.signIn('<b>mona</b>', 'moderator');
  const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
  const refused: string[] = [];
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
  page.on('request', (request) => !request.url().startsWith(desk.url) && refused.push(request.url()));

  await page.goto(await desk.signInLink('ada', 'administrator'));
  await checked(page);
  await enter(page);
  await checked(page);
  expect(await page.evaluate('typeof htmx.ajax')).toBe('function');

  await follow(page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Administration' }));
  await checked(page);
  await page.getByRole('button', { name: 'End the session of <b>mona</b>' }).click();
  await page.getByRole('button', { name: 'End the session of <b>mona</b>' }).waitFor({ state: 'detached' });
  expect((await other.get('/')).status).toBe(303);

  // A failure of htmx becomes a message that is read out, and gets the focus.
  await page.evaluate("void htmx.ajax('POST', '/admin/sessions/none/end', 'body')");
  await page.getByText('There is no session with this id.').waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('messages');
  await checked(page);
  expect(refused.filter((line) => !line.includes('404'))).toEqual([]);

  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  await page.goto(`${desk.url}/admin`);
  await checked(page);
});

test('every page that no other test opens is accessible, and the keyboard reaches its content first', async () => {
  const editor = await desk.signIn('eda', 'administrator');
  const question = { site: 'org', question: 'Which alert did you delete, and why?' };
  const prompt = (await editor.fillIn('/prompts/new', question)).headers.get('location');
  const reason = { id: 'too-short', words: 'It is too short.', order: '1', 'for-reject': 'yes' };
  await editor.fillIn('/admin/reasons', reason);
  const page = await browser.newPage();
  await page.goto(await desk.signInLink('ada', 'administrator'));
  await enter(page);
  const paths = [
    ...['/prompts', `${prompt}`, `${prompt}/close`, '/prompts/gaps', '/record', '/record?from=soon', '/queue'],
    ...['/admin/reasons?edit=too-short', '/admin/reasons/too-short/delete', '/articles/highlights'],
    ...['/articles/objects/new', '/articles/org/none', '/admin/limits', '/people/domains'],
    ...['/admin/limits/link_address', '/signed-in', '/prompts/new'],
  ];
  for (const path of paths) {
    await page.goto(desk.url + path);
    await expectAccessible(page);
  }
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
  await page.getByLabel('Question').fill('Why?');
  await page.getByRole('button', { name: 'Save the prompt' }).click();
  await page.getByRole('alert').waitFor();
  await expectAccessible(page);
  expect(await page.evaluate('document.activeElement.id')).toBe('site');
}, 120_000);

test('what was typed outlives the session', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const signIn = async (): Promise<void> => {
    const tab = await context.newPage();
    await tab.goto(await desk.signInLink('ada', 'administrator'));
    await enter(tab);
    await tab.close();
  };
  await signIn();
  await page.goto(`${desk.url}/admin/reasons`);
  const other = await context.newPage();
  await other.goto(desk.url);
  await other.getByRole('button', { name: 'Sign out' }).click();
  await other.getByRole('heading', { name: 'You are signed out' }).waitFor();
  await page.getByLabel('Words').fill('Typed before\nthe end');
  const values = "Object.fromEntries(new FormData(document.getElementById('reason-form')))";
  await page.evaluate(`void htmx.ajax('POST', '/admin/reasons', { source: 'body', values: ${values} })`);
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
  await page.getByText('What is kept').click();
  await expectAccessible(page);
  await signIn();
  await page.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('heading', { name: 'Send it again' }).waitFor();
  await expectAccessible(page);
  await pressFocused(page);
  await page.getByRole('heading', { name: 'Canned reasons' }).waitFor();
  expect(await page.getByLabel('Words').inputValue()).toBe('Typed before\nthe end');
});

/** Signs in at the page of a sign-in link. The failure says what stands there in place of the welcome. */
async function enter(page: Page): Promise<void> {
  await pressFocused(page);
  const heading = page.getByRole('main').getByRole('heading', { level: 1 });
  await expect.poll(() => heading.innerText(), { timeout: 30_000 }).toBe('Welcome, ada');
}

/** A browser may give the focus only after it has painted, so after `load`: a key before that is lost. */
async function pressFocused(page: Page): Promise<void> {
  await page.locator('button:focus').waitFor();
  await page.keyboard.press('Enter');
}

async function checked(page: Page): Promise<void> {
  await expectAccessible(page);
  // A browser writes the attributes of its own copy in another way, so the page is read once more.
  await expectValidHtml(await (await page.request.get(page.url())).text(), page.url());
}
