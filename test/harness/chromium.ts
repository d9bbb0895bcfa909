import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/**
 * Where a real Chromium is: `CHROMIUM_PATH`, or where Debian puts it. Undefined where there is none, said on the terminal.
 *
 * @throws Error in CI, where a test must not be left out.
 */
export function findChromium(): string | undefined {
  const path = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
  if (existsSync(path)) return path;
  const message = `No Chromium at ${path}: install it (apt-get install chromium) or set CHROMIUM_PATH.`;
  if (process.env['CI']) throw new Error(message);
  process.stderr.write(`The tests in a browser are left out. ${message}\n`);
  return undefined;
}

/** Starts it with nothing of its own going out. */
export function launchChromium(executablePath: string): Promise<Browser> {
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
    ],
  });
}
