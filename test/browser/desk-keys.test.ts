import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../harness/until.js';
import type { Visitor } from '../harness/visitor.js';
import { browsersHere } from '../harness/visitors.js';
import { expectAccessible } from './accessible.js';
import { decisionWords, startDeskWindows } from './desk-windows.js';

const windows = await startDeskWindows();
const { desk, browser, recordOf } = windows;
await windows.keepReason();

describe.each(browsersHere())('%s', (_name, open) => {
  let ada: Visitor;
  beforeAll(async () => {
    ada = await open(true);
    await ada.goto(await desk.signInLink('ada', 'moderator'));
    await ada.click('main button');
  });
  afterAll(() => ada?.close());

  test('what is typed into a field is text, and after a decision from it letters sleep until one is pressed alone', async () => {
    const ids = [await send('To reject'), await send('To leave alone')];
    await ada.goto(`${desk.url}/queue/${ids[0]}`);
    await seen(ada, 'To reject');
    const why = '1 is a copy of the handbook';
    await ada.press('r', ...why);
    expect(await ada.read('#reject-reason', 'value')).toBe(why);
    expect(await ada.read('#item-title', 'textContent')).toBe('To reject');
    await ada.press('Control+Enter', ...' or so, I appear to read');
    await seen(ada, 'To leave alone');
    await until('the decision', async () => (await decisionOf(ids[0])) === `reject because ${why}`);
    await ada.press(...'a p');
    expect(await decisionOf(ids[1])).toBe('');
    // The words of the sentence above end first.
    const undo = async () => {
      await ada.press('u');
      return until('the undo', async () => (await decisionOf(ids[0])) === '', 3_000, 200);
    };
    await until('one key alone to be a key', undo, 30_000);
    await ada.goto(`${desk.url}/queue/${ids[0]}`);
    await seen(ada, 'To reject');
    await ada.press('r', 'Escape', '1');
    const canned = 'reject because It advertises a product.';
    await until('the canned reason', async () => (await decisionOf(ids[0])) === canned);
    await seen(ada, 'To leave alone');
  }, 120_000);

  test('a key leads into an active filter, and Cmd with Enter sends as Ctrl does', async () => {
    const id = await send('To ask about');
    await ada.goto(`${desk.url}/queue/${id}?type=story`);
    await seen(ada, 'To ask about');
    await ada.press('/');
    expect(await ada.read('details.filter', 'open')).toBe('true');
    expect(await ada.read(':focus', 'name')).toBe('words');
    await ada.goto(`${desk.url}/queue/${id}`);
    await seen(ada, 'To ask about');
    await ada.press('c', ...'When?', 'Meta+Enter');
    await until('the decision', async () => (await decisionOf(id)) === 'request changes because When?');
  }, 120_000);
});

describe('letters as keys', () => {
  test('they work with Caps Lock and on other alphabets, and not with Shift or while a word is composed', async () => {
    const [id, other] = [await send('On any keyboard'), await send('Not decided')];
    const page = await at(`/queue/${id}`);
    const keyboard = await page.context().newCDPSession(page);
    const down = async (key: string, code: string, more: object = {}): Promise<void> => {
      await keyboard.send('Input.dispatchKeyEvent', { type: 'keyDown', key, code, ...more });
      await keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code, ...more });
    };
    await down('A', 'KeyA', { modifiers: 8 });
    await down('a', 'KeyA', { windowsVirtualKeyCode: 229 });
    await down('C', 'KeyC');
    expect(await page.evaluate('document.activeElement.id')).toBe('request_changes-reason');
    await page.keyboard.type('何月ですか');
    await down('Enter', 'Enter', { modifiers: 2, windowsVirtualKeyCode: 229 });
    expect(await page.locator('#request_changes-reason').inputValue()).toBe('何月ですか');
    expect(await decisionOf(id)).toBe('');
    await page.keyboard.press('Escape');
    await page.locator('#request_changes-reason').evaluate((field) => Reflect.set(field, 'value', ''));
    await page.locator('#item-title').focus();
    await down('ф', 'KeyA');
    await until('the decision', async () => (await decisionOf(id)) === 'approve');
    expect(await decisionOf(other)).toBe('');
  });

  test('each person can turn them off, and they stay off', async () => {
    const id = await send('Pay attention');
    const page = await at(`/queue/${id}`);
    await page.keyboard.press('?');
    await page.getByRole('checkbox', { name: 'are keys for me' }).uncheck();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.reload();
    await page.locator('#item-title:focus').waitFor();
    expect(await page.locator('.key:visible, [aria-keyshortcuts]').count()).toBe(0);
    await page.keyboard.type('please pay attention, 1 2 / ?');
    expect(await page.locator('#item-title').textContent()).toBe('Pay attention');
    expect(await page.locator('dialog:visible').count()).toBe(0);
    expect(await decisionOf(id)).toBe('');
    await page.getByRole('button', { name: 'Keys' }).click();
    await page.getByRole('checkbox', { name: 'are keys for me' }).check();
    await page.keyboard.press('Escape');
    await page.locator('#item-title').focus();
    await page.keyboard.press('a');
    await until('the decision', async () => (await decisionOf(id)) === 'approve');
  });

  test('characters are counted as the protocol does, and fields know the language and direction of their text', async () => {
    const title = `${'🙂'.repeat(60)} ${'a'.repeat(60)}`;
    const id = await send(title, { language: 'ar' });
    const page = await at(`/queue/${id}`);
    await page.keyboard.press('e');
    const field = page.locator('#edit-title');
    // The button that Enter presses does nothing, and nobody sees it.
    expect(await page.locator('form:has(#edit-title)').getByRole('button').allTextContents()).toEqual([
      'Keep this text',
    ]);
    expect(await field.getAttribute('lang')).toBe('ar');
    expect(await field.getAttribute('dir')).toBe('auto');
    await field.press('End');
    await page.keyboard.type(' longer');
    await page.locator('#edit-reason').fill('x'.repeat(2001));
    await page.keyboard.press('Control+Enter');
    expect(await page.locator('#edit-reason').evaluate((each) => Reflect.get(each, 'validationMessage'))).toBe(
      'At most 2000 characters; it has 2001.',
    );
    await page.locator('#edit-reason').fill(`A typing error. ${'🙂'.repeat(1100)}`);
    await page.keyboard.press('Control+Enter');
    await page.locator('.difference ins').first().waitFor();
    await expectAccessible(page);
    expect(await field.inputValue()).toBe(`${title} longer`);
  });

  test('the open entry shows in forced colours, and a printed item has its text and nothing to press', async () => {
    const page = await at(`/queue/${await send('To print')}`);
    await page.emulateMedia({ forcedColors: 'active' });
    const border = 'getComputedStyle(document.querySelector(".list li:has([aria-current])")).borderInlineStartWidth';
    expect(await page.evaluate(border)).toBe('6px');
    await page.emulateMedia({ forcedColors: 'none', media: 'print' });
    expect(await page.locator('.theirs').first().isVisible()).toBe(true);
    expect(
      await page.locator(':is(button, input, textarea, summary, nav, .list, .steps):visible').allTextContents(),
    ).toEqual([]);
  });

  async function at(path: string): Promise<Page> {
    const page = await windows.signIn(await browser.newContext(), 'ada', 'moderator');
    page.on('dialog', (dialog) => dialog.accept());
    await page.goto(`${desk.url}${path}`);
    await page.locator('#item-title:focus').waitFor();
    return page;
  }
});

/** Waits until an item is open and was seen long enough to be decided. */
async function seen(ada: Visitor, title: string): Promise<void> {
  await until(`${title} to be open`, async () => (await ada.read('#item-title', 'textContent')) === title);
  await until('it to have the focus', async () => (await ada.read(':focus', 'id')) === 'item-title');
}

/** Both browsers send the same titles, and an equal text is no new one. */
function send(title: string, fields: Record<string, unknown> = {}): Promise<string> {
  return windows.send(title, { body: `What came of it: ${randomUUID()}.`, ...fields });
}

async function decisionOf(id = ''): Promise<string> {
  const { held } = (await recordOf(id)) ?? {};
  if (held === undefined) return '';
  return held.reason === '' ? decisionWords(held) : `${decisionWords(held)} because ${held.reason}`;
}
