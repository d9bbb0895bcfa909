import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { newStory, sendJson } from '../../harness/agent.js';
import { call } from '../../harness/http.js';
import { until } from '../../harness/until.js';

/** An administrator is at the start page of the web desk. The token is for stories. */
export interface Walk {
  readonly page: Page;
  readonly gateway: string;
  readonly token: string;
}

/** Decisions are applied 30 s after they are made. */
const applied = 90_000;

/** Moderates a story by keyboard, undoes, asks for changes, and publishes the new text that the agent sends. */
export async function moderate({ page, gateway, token }: Walk): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const title = `A walk ${randomUUID().slice(0, 8)}`;
  const sent = await sendJson('POST', `${gateway}/api/v1/contributions`, newStory({ title }), headers);
  const story = `${gateway}/api/v1/contributions/${sent.json.contribution.id}`;
  const read = async () => (await call(story, { headers })).json.contribution;
  const reach = (state: string) =>
    until(`the story to be ${state}`, async () => (await read()).state === state, applied, 1_000);
  // A worker finds the words of a text soon after it arrives.
  const find = () =>
    until('the story in the queue', async () => {
      await page.goto(new URL(`/queue?words=${encodeURIComponent(title)}`, page.url()).href);
      return page.getByRole('link', { name: title }).isVisible();
    });

  await find();
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: title }).waitFor();
  await page.keyboard.press('a');
  await page.locator('#outcome').getByText('approve').waitFor();
  await page.keyboard.press('u');
  await page
    .locator('#outcome')
    .getByText(/^Undone: /)
    .waitFor();

  await page.keyboard.press('c');
  await page.keyboard.type('Please say how many weeks it took.');
  await page.keyboard.press('Control+Enter');
  await page.locator('#outcome').getByText(title).waitFor();
  await reach('changes_requested');
  expect(await read()).toMatchObject({ reason: 'Please say how many weeks it took.' });

  const body = `It took nine weeks. ${randomUUID()}`;
  expect((await sendJson('PUT', story, { title, body }, headers)).status).toBe(200);
  await find();
  await page.keyboard.press('j');
  await page.locator('.theirs').getByText('nine weeks').first().waitFor();
  await page.keyboard.press('p');
  await page.locator('#outcome').getByText(title).waitFor();
  await reach('published');
}

/** Publishes a new revision of an article, and puts the one before back. */
export async function restoreRevision({ page, gateway }: Walk, slug: string): Promise<void> {
  const article = new URL(`/articles/org/${slug}`, page.url()).href;
  const text = async (): Promise<string> => {
    const headers = { 'x-agent-client-id': randomUUID() };
    return (await call(`${gateway}/api/v1/content/${slug}?site=org`, { headers })).text;
  };
  const words = `The walk added ${randomUUID().slice(0, 8)}.`;

  await page.goto(`${article}/next`);
  const field = page.getByLabel('Text', { exact: true });
  await field.fill(`${await field.inputValue()}\n\n${words}\n`);
  await page.getByRole('button', { name: 'Save draft' }).click();
  await page.getByRole('heading', { name: 'What it changes' }).waitFor();
  expect(await text()).not.toContain(words);
  await page.getByRole('button', { name: 'Publish the saved draft' }).click();
  await until('readers to get the new revision', async () => (await text()).includes(words));

  await page.goto(`${article}/history`);
  await page
    .getByRole('link', { name: /^Restore revision/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Restore' }).click();
  await until('readers to get the revision before', async () => !(await text()).includes(words));
}

/** Searches as twelve readers for what nobody has written, and makes a prompt of it. The count of readers is an estimate. */
export async function askForMissing({ page, gateway }: Walk): Promise<void> {
  // Words with many digits may be a secret, and are not counted.
  const words = `zeppelin ${randomUUID().replace(/[^a-f]/g, '')}`;
  for (let reader = 0; reader < 12; reader += 1) {
    const headers = { 'x-agent-client-id': randomUUID() };
    await call(`${gateway}/api/v1/search?site=org&q=${encodeURIComponent(words)}`, { headers });
  }
  const gap = page.getByRole('link', { name: `Ask about ${words}` });
  const isShown = async (): Promise<boolean> => {
    await page.goto(new URL('/prompts/gaps', page.url()).href);
    return gap.isVisible();
  };
  await until('the words to be shown', isShown, applied, 1_000);
  await gap.click();
  expect(await page.getByLabel('Question').inputValue()).toContain(words);
  await page.getByRole('main').getByRole('button').first().click();
  await page.getByText(words).first().waitFor();
}
