import { expect, test } from 'vitest';
import { consent, contribute, newStory } from '../harness/agent.js';
import { expectAccessible } from './accessible.js';
import { startDeskWindows } from './desk-windows.js';
import { follow } from './follow.js';

const { system, desk: web, browser, signIn } = await startDeskWindows();

test('support pages are accessible and show what strangers wrote as text', async () => {
  const hostile = `<b onclick=alert(1)>"'${'W'.repeat(120)}`;
  const purpose = `<script>alert(1)</script>${'x'.repeat(400)}`;
  const { token, email } = await consent(system, 'hostile@example.org', { purpose });
  const sent = await contribute(system, token, newStory({ title: hostile }));
  expect([sent.status, sent.json.message]).toEqual([201, undefined]);
  const context = await browser.newContext();
  const page = await signIn(context, 'ada', 'support');
  await page.goto(`${web.url}/people`);
  await expectAccessible(page);
  await page.fill('#what', email);
  await follow(page.locator('form[action="/people/find"] button'));
  await expectAccessible(page);
  expect(await page.locator('main').innerText()).toContain(hostile);
  expect(await page.locator('main img, main [onclick], main script').count()).toBe(0);
  const person = page.url();
  for (const link of ['/issue', '/requests/', '/contributions/', '/tokens/']) {
    await page.goto(person);
    await follow(page.locator(`main a[href*="${link}"]`).first());
    await expectAccessible(page);
    expect(await page.locator('main img, main [onclick], main script').count()).toBe(0);
  }
  await page.goto(`${web.url}/people`);
  await page.fill('#what', 'some-client');
  await follow(page.locator('form[action="/people/find"] button'));
  await expectAccessible(page);
  await page.goto(person);
  await page.fill('#erasure-reason', 'a letter');
  await follow(page.locator('form[action$="/erasure"] button'));
  await expectAccessible(page);
  await page.goto(await web.signInLink('sam', 'support'));
  await follow(page.locator('main button'));
  await page.goto(`${web.url}/people`);
  await page.getByRole('button', { name: `Confirm and erase ${email}`, exact: true }).waitFor();
  await expectAccessible(page);
});
