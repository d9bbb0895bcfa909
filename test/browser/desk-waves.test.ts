import { ListContributionRecordsRequest } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { beforeAll, expect, test } from 'vitest';
import { freshEmail } from '../harness/agent.js';
import { asTester } from '../harness/system.js';
import { until } from '../harness/until.js';
import { newHuman, sendText, sendWave } from '../harness/wave.js';
import { expectAccessible } from './accessible.js';
import { startDeskWindows } from './desk-windows.js';

const domain = 'wave.example';
const windows = await startDeskWindows();
const { system, desk, browser } = windows;

beforeAll(async () => {
  await sendWave(system, { domain, humans: 4, each: 5 });
  const own = {
    title: 'A rollout in four plants',
    body: `We wrote down what held. [Our notes](https://${domain}/notes)`,
  };
  // An honest text that links to the same site, and one of a newcomer without anything in common.
  await sendText(system, await newHuman(system, freshEmail('honest')), own);
  const story = { title: 'What our first rollout taught us', body: 'We moved one plant at a time, and it held.' };
  await sendText(system, await newHuman(system, freshEmail('newcomer')), story);
  await until('all in the group', async () => (await groupSizes()).includes(21));
}, 180_000);

const groupSizes = async () => {
  const { groups } = await system.clients.moderation.listContributionGroups({}, asTester());
  return groups.map(({ contributions }) => contributions);
};

test('a moderator sees a wave, leaves an honest text out, rejects the rest with one press, and one undo gives all back', async () => {
  const context = await browser.newContext();
  const faults: string[] = [];
  context.on('weberror', (fault) => faults.push(fault.error().message));
  const page = await windows.signIn(context, 'ada', 'moderator');
  await page.goto(`${desk.url}/queue`);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Show only what is in no group' }).click();
  await until('only what is in no group', async () => (await page.locator('.list ol > li').count()) === 1);
  expect(await page.locator('.list ol > li').innerText()).toContain('What our first rollout taught us');
  await page.getByRole('link', { name: `21 texts of 5 humans link to ${domain}` }).click();

  // The page shows each text; that with the least risk stands first.
  const rows = page.locator('tbody tr');
  expect(await rows.count()).toBe(21);
  await expectAccessible(page);
  const honest = rows.filter({ hasText: 'A rollout in four plants' });
  expect(await honest.innerText()).toContain('We wrote down what held.');
  expect(await page.getByRole('button', { name: /approve|publish/i }).count()).toBe(0);
  // The rows begin on the first screen, and the decision stays in view.
  expect((await rows.first().boundingBox())?.y).toBeLessThan(360);
  await rows.last().scrollIntoViewIfNeeded();
  const decide = page.locator('summary', { hasText: 'Reject all but the ticked' });
  expect((await decide.boundingBox())?.y).toBeGreaterThanOrEqual(0);
  await honest.getByRole('checkbox').check();
  await decide.click();
  await expectAccessible(page);
  await page.getByRole('checkbox', { name: /^End the access/ }).check();
  await page.getByLabel('Why, in your words?').fill('It is an advertisement.');

  // A colleague changes one meanwhile.
  const asked = ListContributionRecordsRequest.fromPartial({ filter: { email: `box-1@${domain}` }, pageSize: 1 });
  const { contributions } = await system.clients.moderation.listContributionRecords(asked, asTester());
  const { id = '', title = '' } = contributions[0]?.contribution ?? {};
  const edit = { id, expectedRevision: 1, title: `${title} a week`, remove: [], forgetBefore: false, reason: 'why' };
  await system.clients.moderation.editContribution(edit, asTester());
  await page.getByRole('button', { name: 'Reject all but the ticked' }).click();

  // The queue says what became of it, again after a reload, and on the page of each of them.
  const outcome = page.locator('#outcome');
  await outcome.getByText('Rejected together: 19 texts. It takes effect in').waitFor();
  await expectAccessible(page);
  expect(await outcome.innerText()).toContain(`${id.slice(0, 8)} stay as they are: they changed or were decided`);
  expect(await groupSizes()).toEqual([]);
  expect(await page.locator('.list li.held').count()).toBe(19);
  await page.goto(`${desk.url}/queue`);
  expect(Number(await outcome.locator('[data-undo-ms]').getAttribute('data-undo-ms'))).toBeLessThan(30_000);
  const [held] = await page.locator('.list li.held a').all();
  await held?.click();
  await page.locator('.item .held').waitFor();
  await outcome.getByRole('button', { name: 'Undo all' }).waitFor();
  // A colleague takes one of them back.
  const opened = (await page.locator('.item').getAttribute('data-item')) ?? '';
  await system.clients.moderation.undoDecision({ id: opened, expectedRevision: 0 }, asTester());
  await outcome.getByText('Rejected together: 18 texts. It takes effect in').waitFor();
  await page.keyboard.press('u');
  await outcome.getByText('Undone: 18 texts wait again.').waitFor();
  await page.locator('#messages').getByText('The reason that you gave: It is an advertisement.').waitFor();
  expect(await page.locator('.list li.held').count()).toBe(0);
  await page.goto(`${desk.url}/record`);
  await page.getByText('19 contributions, and the access of their agents (4) ends').waitFor();
  expect(faults).toEqual([]);
});
