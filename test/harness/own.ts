import type { Browser } from 'playwright-core';
import { afterAll } from 'vitest';
import { type LoneGateway, startLoneGateway } from './lone-gateway.js';
import { type System, type SystemOptions, startSystem } from './system.js';
import { startWebDesk, type WebDesk } from './web-desk.js';

/** A system of one file of tests. Like all that is made here it ends with that file, what was made last first. */
export async function ownSystem(options?: SystemOptions): Promise<System> {
  const system = await startSystem(options);
  afterAll(() => system.close());
  return system;
}

/** A web desk beside a system. */
export async function ownWebDesk(system: System, env?: Record<string, string>): Promise<WebDesk> {
  const desk = await startWebDesk(system, env);
  afterAll(() => desk.close());
  return desk;
}

/** A gateway without services. */
export async function ownGateway(env?: Record<string, string>): Promise<LoneGateway> {
  const gateway = await startLoneGateway(env);
  afterAll(() => gateway.process.close());
  return gateway;
}

export async function ownChromium(): Promise<Browser> {
  // Most files need no browser, and its library takes long to load.
  const { launchChromium } = await import('./chromium.js');
  const browser = await launchChromium();
  afterAll(() => browser.close());
  return browser;
}
