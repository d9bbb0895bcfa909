import { launchChromium } from './chromium.js';
import { hasFirefox, openFirefox } from './firefox.js';
import type { Visitor } from './visitor.js';

/** The browsers that are installed here. It says so when Firefox is left out. */
export function browsersHere(): readonly (readonly [name: string, open: (hasScripts: boolean) => Promise<Visitor>])[] {
  if (hasFirefox)
    return [
      ['Chromium', openChromium],
      ['Firefox', openFirefox],
    ];
  process.stderr.write('Firefox is left out: install it (apt-get install firefox-esr), or set FIREFOX_PATH.\n');
  return [['Chromium', openChromium]];
}

async function openChromium(javaScriptEnabled: boolean): Promise<Visitor> {
  const browser = await launchChromium();
  const page = await (await browser.newContext({ javaScriptEnabled })).newPage();
  page.on('dialog', (dialog) => dialog.accept());
  return {
    async goto(url) {
      await page.goto(url);
    },
    async back() {
      await page.goBack();
    },
    click: (selector) => page.locator(selector).click(),
    fill: (selector, text) => page.locator(selector).fill(text),
    async press(...chords) {
      for (const chord of chords) await page.keyboard.press(chord);
    },
    read: async (selector, property) =>
      String(
        await page
          .locator(selector)
          .first()
          .evaluate((element, name) => Reflect.get(element, name), property),
      ),
    close: () => browser.close(),
  };
}
