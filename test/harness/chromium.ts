import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The last such list holds, so it also has what Playwright turns off. */
const withoutFeatures = [
  // Two more pages would load behind the address bar of each window. They take two thirds of its CPU time.
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'PreloadTopChromeWebUI'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'PaintHolding'],
  ...['HttpsFirstBalancedModeAutoEnable', 'ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect'],
  ...['OptimizationHints', 'NetworkTimeServiceQuerying', 'PreconnectToSearch', 'AimEnabled', 'LensOverlay'],
  'MediaRouter',
];

/**
 * Starts a real Chromium from `CHROMIUM_PATH`, or from the path of the Debian package. It makes no background requests.
 *
 * @throws Error if Chromium is not installed.
 */
export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
  if (!existsSync(executablePath)) {
    const ways =
      "install it (apt-get install chromium), set CHROMIUM_PATH, or leave it out: vitest --project '!browser'";
    throw new Error(`No Chromium at ${executablePath}: ${ways}.`);
  }
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      `--disable-features=${withoutFeatures.join()}`,
    ],
  });
}
