import { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { contribute } from '../harness/agent.js';
import { asTester } from '../harness/system.js';
import { until } from '../harness/until.js';
import type { StaffBrowser } from '../harness/web-desk.js';
import { expectAccessible } from './accessible.js';
import { outcomeWith, press, startDeskWindows } from './desk-windows.js';

const windows = await startDeskWindows();
const { system, desk, token, send, stateOf, recordOf } = windows;
let faults: string[] = [];

const hostile = [
  '<div id="workspace" hx-get="/admin" hx-trigger="load"></div><script>alert(1)</script><b onclick=alert(1)>',
  '[link](javascript:alert(1)) [picture](data:image/svg+xml;base64,AAAA) https://exаmple.org/sign-in',
  `over\u202egnp.exe\u2069 a\u{e0069}\u{e0067}b ${'x'.repeat(3000)}`,
].join('\n\n');

beforeAll(async () => {
  await windows.keepReason();
  for (const title of ['The first story', 'The second story', 'The third story', 'The fourth story']) await send(title);
  await send('The hostile story', { body: hostile });
});
afterEach(() => {
  expect(faults, 'faults of the page').toEqual([]);
  faults = [];
});

test('a moderator decides with keys, undoes, and gives a reason, and the focus is never lost', async () => {
  const page = await openQueue('ada');
  await expectAccessible(page);
  await press(page, 'j');
  await expectOpen(page, 'The first story');
  await expectAccessible(page);
  await press(page, 'a');
  await expectOpen(page, 'The second story');
  expect(await outcomeOf(page)).toContain('Approved: The first story');
  expect(await stateOf('The first story')).toBe('pending_review held approve by ada');
  await press(page, 'Control+a', 'u');
  await expectOpen(page, 'The first story');
  expect(await outcomeOf(page)).toContain('Undone');
  expect(await stateOf('The first story')).toBe('pending_review');
  await press(page, 'r');
  // In a field the keys are letters, a space sends no canned reason, and a digit is one too.
  await page.keyboard.type('a p u: an advertisement, 1 of 2');
  await expectAccessible(page);
  await press(page, 'Control+Enter');
  await expectOpen(page, 'The second story');
  expect(await outcomeOf(page)).toContain('Rejected: The first story');
  expect(await stateOf('The first story')).toContain('because a p u: an advertisement, 1 of 2');
  await press(page, 'u');
  await expectOpen(page, 'The first story');
  await outcomeOf(page);
  // The words are back in their field, and do not go without a question.
  expect(await page.locator('#reject-reason').inputValue()).toBe('a p u: an advertisement, 1 of 2');
  await press(page, 'r', 'Escape');
  page.removeAllListeners('dialog').on('dialog', (dialog) => dialog.accept());
  await press(page, '1');
  await expectOpen(page, 'The second story');
  expect(await outcomeOf(page)).toContain('Rejected: The first story');
  expect(await stateOf('The first story')).toContain('because It advertises a product.');
  await press(page, '?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  expect(await isInView(page, '#item-title')).toBe(true);
  await expectAccessible(page);
  await press(page, 'Escape');
  expect(await page.locator('#keys').isVisible()).toBe(false);
  await expectOpen(page, 'The second story');
  await press(page, '/');
  expect(await page.evaluate('document.activeElement.name')).toBe('words');
  await press(page, 'Escape');
  await expectOpen(page, 'The second story');
  // The undo does not wait until the server has accepted the decision.
  await press(page, 'a', 'u');
  await outcomeWith(page, /^Undone: /);
  await expectOpen(page, 'The second story');
  expect(await stateOf('The second story')).toBe('pending_review');
  await press(page, 'k');
  await expectOpen(page, 'The first story');
  await expectAccessible(page);
});

test('of two moderators on one item one wins, and the other reads who decided what', async () => {
  const [ada, bea] = await Promise.all([openQueue('ada'), openQueue('bea')]);
  await open(ada, 'The third story');
  await open(bea, 'The third story');
  expect(await bea.locator('.open-by').textContent()).toContain('ada has this open too');
  await press(bea, 'p');
  // Not the fourth one, if it is the next one of ada.
  await until('another item to be open', async () => (await focusedTitle(bea)) !== 'The third story');
  await ada.locator('#changed').waitFor();
  expect(await ada.locator('#changed').textContent()).toContain('This one was just changed by bea.');
  await press(ada, 'c', ...'Which month was it?', 'Control+Enter');
  const message = ada.locator('#messages p');
  await message.waitFor();
  expect(await message.textContent()).toMatch(/The third story.* was refused: .*bea/);
  await expectAccessible(ada);
  // Nothing that she wrote is lost.
  await ada.getByRole('button', { name: 'Back to it' }).click();
  await expectOpen(ada, 'The third story');
  expect(await ada.locator('#request_changes-reason').inputValue()).toBe('Which month was it?');
  expect((await ada.reload())?.status()).toBe(200);
  expect(await stateOf('The third story')).toBe('pending_review held approve and publish by bea');
});

test('typed words are not lost without a question, by another item or by a decision', async () => {
  const page = await openQueue('ada');
  const answers = [false, true, false, true];
  const asked: string[] = [];
  page.removeAllListeners('dialog').on('dialog', (dialog) => {
    asked.push(dialog.message());
    return answers.shift() === true ? dialog.accept() : dialog.dismiss();
  });
  await open(page, 'The hostile story');
  await press(page, 'r', ...'Half a reason', 'Escape', 'k');
  // Who stays can type on.
  await press(page, ...' and more');
  expect(await page.locator('#reject-reason').inputValue()).toBe('Half a reason and more');
  await press(page, 'Escape', 'k');
  await expectOpen(page, 'The fourth story');
  expect(asked).toEqual(Array(2).fill('What you typed here is not sent yet. Go on without it?'));
  await press(page, 'j');
  await expectOpen(page, 'The hostile story');
  await page.locator('#note-text').fill('Half a note');
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  expect(await page.locator('#note-text').inputValue()).toBe('Half a note');
  expect(asked).toHaveLength(3);
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  expect(await outcomeOf(page)).toContain('Approved: The hostile story');
  await press(page, 'u');
  await expectOpen(page, 'The hostile story');
  expect(asked).toHaveLength(4);
});

test('moderators who begin together get different items, and an item is free when a moderator leaves it', async () => {
  for (let at = 0; at < 4; at++) await send(`A story for one moderator ${at}`);
  const staff = await Promise.all(['mod1', 'mod2', 'mod3'].map((name) => desk.signIn(name, 'moderator')));
  const next = async ({ get }: StaffBrowser): Promise<string | null> =>
    (await get('/queue/next')).headers.get('location');
  const opened = await Promise.all(staff.map(next));
  expect(new Set(opened).size).toBe(3);
  const page = await openQueue('mod4');
  await press(page, 'j');
  await until('an item to be open', async () => (await page.locator('.item[data-item]').count()) === 1);
  expect(opened).not.toContain(new URL(page.url()).pathname);
  const left = await page.locator('.item').getAttribute('data-item');
  await page.close();
  await until('the item to be free', async () => (await recordOf(`${left}`))?.openBy.length === 0);
});

test('two quick presses decide one item, a step back shows its item, and who undoes or withdraws it is named', async () => {
  for (const title of ['Seen once', 'Not seen yet', 'Seen last']) await send(title);
  const [page, bea] = await Promise.all([openQueue('ada'), openQueue('bea')]);
  await page.setViewportSize({ width: 1280, height: 600 });
  await open(page, 'Seen once');
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  await press(page, 'a', 'a');
  await expectOpen(page, 'Not seen yet');
  expect(await isInView(page, '#item-title')).toBe(true);
  expect(await outcomeOf(page)).toContain('Approved: Seen once');
  expect(await stateOf('Not seen yet')).toBe('pending_review');

  await open(bea, 'Seen once');
  await press(bea, 'u');
  await page.locator('#outcome').getByText('bea has undone this decision.').waitFor();
  expect(await page.locator('.list li', { hasText: 'Seen once' }).textContent()).toContain('undone by bea');
  await press(page, 'u');
  await page.getByText('There is nothing to undo here.').waitFor();
  await expectAccessible(page);

  await page.goBack();
  await until('the item of the address', async () => {
    const open = await page.locator('.item').getAttribute('data-item');
    const title = await page.locator('#item-title').textContent();
    return open !== null && page.url().includes(open) && title === 'Seen once';
  });
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.locator('#outcome').getByText('Approved: Seen once. It takes effect').waitFor();
  const { id } = (await recordOf('Seen once'))?.contribution ?? {};
  const headers = { authorization: `Bearer ${token}` };
  await fetch(`${system.url}/api/v1/contributions/${id}`, { method: 'DELETE', headers });
  await outcomeWith(page, 'Seen once: it was withdrawn meanwhile by its agent, and this decision was dropped.');
  expect(await page.locator('#outcome form').count()).toBe(0);
  await page.locator('.list li', { hasText: 'Seen once' }).getByText('withdrawn by its agent').waitFor();
});

test('a closing takes a note that only moderators see, and an undo brings both texts back', async () => {
  const { status } = await contribute(system, token, { type: 'inquiry', body: 'Who answers a question with a note?' });
  expect(status).toBe(201);
  const page = await openQueue('ada');
  await page.getByRole('link', { name: 'Who answers a question with a note?' }).click();
  await page.locator('#close-reason').waitFor({ state: 'attached' });
  await until('it to be seen', async () => (await page.locator('[data-unseen]').count()) === 0);
  await press(page, 'r');
  await page.locator('#close-reason').fill('This was answered before.');
  await page.locator('#close-note').fill('The third time this week.');
  await expectAccessible(page);
  await press(page, 'Control+Enter');
  expect(await outcomeOf(page)).toContain('Closed: ');
  expect((await recordOf('Who answers a question with a note?'))?.held?.note).toBe('The third time this week.');
  await press(page, 'u');
  await outcomeWith(page, /^Undone: /);
  const reason = page.locator('#close-reason');
  await until('both texts', async () => (await reason.inputValue()) === 'This was answered before.');
  expect(await page.locator('#close-note').inputValue()).toBe('The third time this week.');
});

test('what was done is said, also if it takes effect at once or keeps the state', async () => {
  const title = 'Taken down at once';
  const question = 'Who corrects an answer?';
  const story = await send(title);
  const inquiry = (await contribute(system, token, { type: 'inquiry', body: question })).json.contribution.id;
  const { decide } = system.clients.moderation;
  const any = { expectedRevision: 0, reason: '' };
  await decide({ ...any, id: story, decision: Decision.APPROVE_AND_PUBLISH }, asTester());
  await decide({ ...any, id: inquiry, decision: Decision.ANSWER, text: 'Nobody.' }, asTester());
  const page = await openQueue('ada');

  await page.goto(`${desk.url}/queue/${story}`);
  await expectOpen(page, title);
  await press(page, 'r', ...'It names a customer.', 'Control+Enter');
  await page.locator('#outcome', { hasText: /^\s*Retracted: Taken down at once\.\s*$/ }).waitFor();
  expect(await page.locator('#outcome button').count()).toBe(0);
  expect(await stateOf(title)).toBe('retracted');
  // The same without the script of the page.
  const plain = await openQueue('ada', false);
  await plain.goto(`${desk.url}/queue/${inquiry}`);
  await plain.locator('details.with-text summary', { hasText: 'Correct the answer' }).click();
  await plain.locator('#answer-text').fill('A moderator.');
  await plain.getByRole('button', { name: 'Correct the answer' }).click();
  const said = await plain.locator('#outcome').textContent();
  expect(said).toMatch(/Answered: Who corrects an answer\? You can undo it until \d\d:\d\d:\d\d UTC\./);
  await plain.locator('#outcome').getByRole('button', { name: 'Undo' }).click();
  expect(await plain.locator('#outcome').textContent()).toContain(`Undone: ${question} It is answered now.`);
});

async function openQueue(name: string, javaScriptEnabled = true): Promise<Page> {
  const context = await windows.browser.newContext({ javaScriptEnabled });
  context.on('weberror', (fault) => faults.push(fault.error().message));
  const page = await windows.signIn(context, name, 'moderator');
  page.on('dialog', (dialog) => {
    // Words that were typed are left on purpose; hostile text must open nothing.
    if (dialog.type() === 'beforeunload') return dialog.accept();
    return faults.push(dialog.message());
  });
  await page.goto(`${desk.url}/queue`);
  return page;
}

async function open(page: Page, title: string): Promise<void> {
  await page.getByRole('link', { name: title }).click();
  await expectOpen(page, title);
}

/** Waits until an item is open, has the focus, and was seen long enough to be decided. */
async function expectOpen(page: Page, title: string): Promise<void> {
  await until(`${title} to have the focus`, async () => (await focusedTitle(page)) === title);
  await until('it to be seen', async () => (await page.locator('[data-unseen]').count()) === 0);
}

function focusedTitle(page: Page): Promise<string> {
  return page.evaluate('document.activeElement.id === "item-title" ? document.activeElement.textContent : ""');
}

/** What was just done, after the server has confirmed it. */
async function outcomeOf(page: Page): Promise<string> {
  await until('the answer of the server', async () => (await page.locator('#outcome [data-sending]').count()) === 0);
  return (await page.locator('#outcome').textContent()) ?? '';
}

async function isInView(page: Page, selector: string): Promise<boolean> {
  const box = await page.locator(selector).boundingBox();
  return box !== null && box.y >= 0 && box.y + box.height <= (page.viewportSize()?.height ?? 0);
}
