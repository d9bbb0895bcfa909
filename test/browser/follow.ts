import type { Locator } from 'playwright-core';

/** Clicks a link or button, and waits for the page to which it leads. A click alone may return while the old page stands. */
export async function follow(link: Locator): Promise<void> {
  await Promise.all([link.page().waitForEvent('load'), link.click()]);
}
