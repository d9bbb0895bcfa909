import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** The rules of WCAG 2.2 up to level AA, and the best practices of axe-core. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'];

/** A light phone and a dark wide screen. Width and color scheme are independent, so each value is tested once. */
const modes = [
  { width: 320, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
] as const;

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Checks in each mode that axe-core finds no problem and that the page does not scroll sideways. */
export async function expectAccessible(page: Page): Promise<void> {
  // Runs axe-core through the debugger, because the page's policy forbids scripts.
  await page.evaluate(source);
  const before = page.viewportSize();
  // Off by default; who speaks the words of a button to it must reach it.
  const rules = { 'target-size': { enabled: true }, 'label-content-name-mismatch': { enabled: true } };
  // axe-core describes each element of a result, which takes most of its time; only those of violations are read.
  const results = { resultTypes: ['violations'], preload: false };
  const options = JSON.stringify({ runOnly: { type: 'tag', values: tags }, rules, ...results });
  const found: string[] = [];
  for (const { width, colorScheme } of modes) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    const mode = `${page.url()} ${width} ${colorScheme}`;
    const { violations, passes, inapplicable } = (await page.evaluate(`axe.run(document, ${options})`)) as AxeResults;
    for (const { id, help, nodes } of violations) {
      found.push(`${mode}: ${id}, ${help}: ${nodes.map(({ html }) => html).join(' ')}`);
    }
    const lookedAt = [...violations, ...passes, ...inapplicable].map(({ id }) => id);
    // This rule is off by default, so the test checks that it ran.
    if (!lookedAt.includes('target-size')) found.push(`${mode}: target-size was not looked at`);
    const wide = (await page.evaluate('document.documentElement.scrollWidth')) as number;
    if (wide > width) found.push(`${mode}: scrolls sideways, to ${wide}`);
  }
  if (before !== null) await page.setViewportSize(before);
  expect(found).toEqual([]);
}
