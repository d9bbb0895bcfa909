import type { Locator } from 'playwright-core';

/** Taps a button that leads to a page. What is new there takes no tap for a moment, which lasts until `end`. */
export async function firstTap(button: Locator): Promise<{ second(): Promise<void>; end(): Promise<void> }> {
  const page = button.page();
  await button.scrollIntoViewIfNeeded();
  await button.click({ trial: true });
  const box = await button.boundingBox();
  if (box === null) throw new Error('The button is not shown.');
  const animations = await page.context().newCDPSession(page);
  const play = async (playbackRate: number): Promise<void> =>
    void (await animations.send('Animation.setPlaybackRate', { playbackRate }));
  const tap = () => page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await animations.send('Animation.enable');
  await play(0);
  await Promise.all([page.waitForEvent('load'), tap()]);
  return { second: tap, end: () => play(1) };
}
