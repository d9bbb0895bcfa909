import type { Browser, Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { ownChromium, ownGateway } from '../harness/own.js';
import { expectAccessible } from './accessible.js';

// The reference needs no services.
const gateway = await ownGateway();
const browser = await ownChromium();
let page: Page;
const refused: string[] = [];

afterEach(async () => {
  await page?.context().close();
  expect(refused.splice(0), 'what the policy of the page refused, or what it asked of others').toEqual([]);
});

test('/docs meets WCAG 2.2 AA in light and dark, on a phone and on a wide screen', async () => {
  page = await open('/docs?site=org');
  await expectAccessible(page);
}, 120_000);

test('/docs works without script: contents lead to an operation, and from there to a schema', async () => {
  page = await open('/docs', { javaScriptEnabled: false, viewport: { width: 320, height: 800 } });
  await page
    .getByRole('navigation', { name: 'Contents' })
    .getByRole('link', { name: 'GET /content/{slug}', exact: true })
    .click();
  expect(new URL(page.url()).hash).toBe('#readContent');
  const operation = page.locator('#readContent');
  await expectInView(operation.getByRole('heading', { level: 3 }));
  await operation.getByRole('link', { name: 'Article', exact: true }).click();
  await expectInView(page.locator('#schema-Article').getByRole('heading', { level: 3 }));
});

test('one click selects a whole command', async () => {
  page = await open('/docs');
  const command = page.locator('#authorize .command').first();
  await command.click();
  const selected = (await page.evaluate('getSelection().toString()')) as string;
  expect(selected.trim()).toBe((await command.textContent())?.trim());
  expect(selected).toMatch(/^curl -s \\\n/);
});

test('/docs is linked from page footers and the guide', async () => {
  page = await open('/for-agents');
  const links = page.getByRole('link', { name: 'API reference' });
  expect(await links.count()).toBe(2);
  await links.last().click();
  await page.waitForURL('**/docs*');
  expect(await page.title()).toMatch(/^API reference/);
});

async function open(path: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  const opened = await context.newPage();
  opened.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
  opened.on('request', (request) => !request.url().startsWith(gateway.url) && refused.push(request.url()));
  await opened.goto(`${gateway.url}${path}`);
  return opened;
}

async function expectInView(element: ReturnType<Page['locator']>): Promise<void> {
  const box = await element.boundingBox();
  expect(box?.y).toBeGreaterThanOrEqual(0);
  expect(box?.y).toBeLessThan(400);
}
