import type { Dialog } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { putBare } from '../harness/articles.js';
import { until } from '../harness/until.js';
import { expectAccessible } from './accessible.js';
import { startDeskWindows } from './desk-windows.js';

const { system, desk, browser, signIn } = await startDeskWindows();
const page = await signIn(await browser.newContext({ viewport: { width: 1280, height: 800 } }), 'ada', 'editor');
beforeAll(async () => {
  const put = (title: string, body: string) =>
    putBare(system, 'weeks', { title, summary: 'How long it took.', body, publish: true });
  await put('Rollout', '# Weeks\n\nWe took *nine* weeks.\n\n| a | b |\n|---|---|\n| 1 | 2 |');
  await put('Our rollout', `# Weeks\n\nWe took *ten* weeks.\n\n${'x'.repeat(8000)}`);
});
afterAll(() => page.context().close());

test('the pages of editors are accessible in light and dark, on a phone and on a wide screen', async () => {
  await page.getByRole('link', { name: 'Articles' }).first().click();
  await expectAccessible(page);

  await page.goto(`${desk.url}/articles/new`);
  await page.getByLabel('Name in the URL').fill('new-one');
  await page.getByLabel('Title').fill('New');
  await page.getByLabel('Tags').fill('Not a tag');
  await page.getByLabel('Text').fill('# One\n\nSome words.');
  await page.getByRole('button', { name: 'Save as draft' }).click();
  expect(await page.getByLabel('Tags').getAttribute('aria-invalid')).toBe('true');
  expect(await page.getByLabel('Text').inputValue()).toBe('# One\n\nSome words.');
  await expectAccessible(page);
  await page.getByLabel('Tags').fill('a-tag');
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('As JSON').click();
  await expectAccessible(page);

  await page.goto(`${desk.url}/articles/org/weeks/next`);
  await page.getByLabel('Text').fill('# Weeks\n\nWe took *eleven* weeks.');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await page.getByRole('heading', { name: 'What it changes' }).waitFor();
  await expectAccessible(page);
  for (const path of ['', '/history', '/difference?from=1&to=2', '/restore?revision=1', '/archive']) {
    await page.goto(`${desk.url}/articles/org/weeks${path}`);
    await expectAccessible(page);
  }
  const gloss = 'words/gloss?site=org&text=weeks';
  await page.goto(`${desk.url}/articles/${gloss}`);
  await page.getByLabel('English title').fill('Weeks');
  await page.getByRole('button', { name: 'Save' }).click();
  for (const path of ['objects', 'objects/new', 'files', 'words', gloss, gloss.replace('?', '/remove?')]) {
    await page.goto(`${desk.url}/articles/${path}`);
    await expectAccessible(page);
  }

  await page.goto(`${desk.url}/articles/highlights/org`);
  for (const slug of ['weeks', 'new-one']) {
    await page.getByLabel('Another article').fill(slug);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
  }
  await page.getByText('No published article of org is new-one').waitFor();
  await expectAccessible(page);
}, 120_000);

test('the name follows the title until it is typed, and what was typed is back after the page was loaded again', async () => {
  await page.goto(`${desk.url}/articles/new`);
  const slug = page.getByLabel('Name in the URL');
  await page.getByLabel('Title').pressSequentially('Über Größe');
  await until('the name', async () => (await slug.inputValue()) === 'uber-grosse');
  await page.getByLabel('Title').pressSequentially(' 2');
  await until('the name', async () => (await slug.inputValue()) === 'uber-grosse-2');
  await slug.fill('sizes');
  const asked = page.waitForResponse((response) => response.url().includes('/articles/new/slug'));
  await page.getByLabel('Title').fill('Another title');
  await asked;
  expect(await slug.inputValue()).toBe('sizes');
  await page.getByLabel('Text').fill('Words that took an hour.');
  const accept = (dialog: Dialog) => dialog.accept();
  page.on('dialog', accept);
  await page.reload();
  await page.getByText('What you typed here is back.').waitFor();
  expect(await page.getByLabel('Text').inputValue()).toBe('Words that took an hour.');
  expect([await slug.inputValue(), await page.getByLabel('Title').inputValue()]).toEqual(['sizes', 'Another title']);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await page.getByRole('heading', { name: 'Another title' }).first().waitFor();
  // What is sent, or left on purpose, does not come back.
  await page.goto(`${desk.url}/articles/new`);
  expect(await page.getByLabel('Text').inputValue()).toBe('');
  await page.getByLabel('Text').fill('Left on purpose.');
  await page.goto(`${desk.url}/articles`);
  await page.goto(`${desk.url}/articles/new`);
  expect(await page.getByLabel('Text').inputValue()).toBe('');
  page.off('dialog', accept);
});

test('a browser asks before a page with an unsent text is left, and not when its form is sent', async () => {
  const asked: string[] = [];
  await page.goto('about:blank');
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    return asked.length === 1 ? dialog.dismiss() : dialog.accept();
  });
  await page.goto(`${desk.url}/articles/org/weeks/edit`);
  await page.getByLabel('Text').fill('# Weeks\n\nWe took *twelve* weeks.');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await until('the question', async () => asked.length === 1);
  expect(await page.getByLabel('Text').inputValue()).toContain('twelve');
  // A preview stores nothing, though the form comes back with these words.
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByText('As JSON').waitFor();
  expect(asked).toEqual(['beforeunload']);
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByRole('link', { name: 'Change at once' }).click();
  expect(asked).toEqual(['beforeunload', 'beforeunload']);
  await page.getByLabel('Text').fill('# Weeks\n\nWe took *twelve* weeks.');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'History (3)' }).click();
  await page.getByRole('heading', { name: 'History of weeks' }).waitFor();
  expect(asked).toHaveLength(2);
});
