import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.js';
import type { Visitor } from './visitor.js';

/** The path of the Debian package; `FIREFOX_PATH` names another. */
const path = process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr';

export const hasFirefox = existsSync(path);

/** It has one window, speaks Marionette at any free port, and asks no other site. */
const preferences = {
  'marionette.port': 0,
  'app.update.enabled': false,
  'app.normandy.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'http://127.0.0.1:1/',
  // One process for pages is enough.
  'dom.ipc.processCount': 1,
  'dom.ipc.processPrelaunch.enabled': false,
  'fission.autostart': false,
};

/** The keys without a character, by their numbers in WebDriver. */
const keyCodes: Readonly<Record<string, string>> = {
  ...{ Enter: '\uE007', Escape: '\uE00C', Tab: '\uE004', Control: '\uE009', Meta: '\uE03D' },
};

/** Starts a real Firefox, and drives it by its own protocol. Playwright drives only a patched one, and newer libraries need Node 22. */
export async function openFirefox(hasScripts: boolean): Promise<Visitor> {
  const profile = await mkdtemp(join(tmpdir(), 'firefox-'));
  const lines = Object.entries({ ...preferences, 'javascript.enabled': hasScripts }).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  await writeFile(join(profile, 'user.js'), lines.join('\n'));
  const running = spawn(path, ['--headless', '--marionette', '--no-remote', '--profile', profile], { stdio: 'ignore' });
  const end = async (): Promise<void> => {
    running.kill();
    if (running.exitCode === null && running.signalCode === null) await once(running, 'exit');
    await rm(profile, { recursive: true, force: true });
  };
  return drive(profile, end).catch(async (error: unknown) => {
    await end();
    throw error;
  });
}

async function drive(profile: string, end: () => Promise<void>): Promise<Visitor> {
  const portFile = join(profile, 'MarionetteActivePort');
  const port = await until(
    'Firefox to listen',
    async () => Number(await readFile(portFile, 'utf8').catch(() => '')) || undefined,
    30_000,
  );
  const { send, socket } = await speak(port);
  await send('WebDriver:NewSession', { capabilities: { alwaysMatch: { unhandledPromptBehavior: 'accept' } } });
  const find = async (selector: string): Promise<{ id: string }> => {
    const { value } = await send('WebDriver:FindElement', { using: 'css selector', value: selector });
    return { id: Object.values(value as Record<string, string>)[0] ?? '' };
  };
  return {
    async goto(url) {
      await send('WebDriver:Navigate', { url });
    },
    async back() {
      await send('WebDriver:Back');
    },
    async click(selector) {
      // A new button takes no click at first.
      await until(`${selector} to take a click`, async () => {
        await send('WebDriver:ElementClick', await find(selector));
        return true;
      });
    },
    async fill(selector, text) {
      const element = await find(selector);
      await send('WebDriver:ElementClear', element);
      await send('WebDriver:ElementSendKeys', { ...element, text });
    },
    async press(...chords) {
      // In one message, so that the keys follow each other as fast as somebody types.
      const actions = chords.flatMap((chord) => {
        const keys = (chord === '+' ? [chord] : chord.split('+')).map((name) => keyCodes[name] ?? name);
        const down = keys.map((value) => ({ type: 'keyDown', value }));
        return [...down, ...keys.toReversed().map((value) => ({ type: 'keyUp', value }))];
      });
      await send('WebDriver:PerformActions', { actions: [{ type: 'key', id: 'keys', actions }] });
    },
    read: async (selector, name) =>
      String((await send('WebDriver:GetElementProperty', { ...(await find(selector)), name })).value),
    async close() {
      socket.destroy();
      await end();
    },
  };
}

type Send = (name: string, parameters?: object) => Promise<{ value?: unknown }>;

/** Each message is its length, a colon, and a list: kind, number, name or fault, parameters or result. */
async function speak(port: number): Promise<{ send: Send; socket: Socket }> {
  const socket = connect(port, '127.0.0.1');
  const waiting = new Map<number, (fault: unknown, result: { value?: unknown }) => void>();
  let received = Buffer.alloc(0);
  socket.on('data', (data) => {
    received = Buffer.concat([received, data]);
    for (let colon = received.indexOf(':'); colon > 0; colon = received.indexOf(':')) {
      const end = colon + 1 + Number(received.subarray(0, colon));
      if (received.length < end) return;
      const message = JSON.parse(received.subarray(colon + 1, end).toString());
      received = received.subarray(end);
      // The greeting is no list.
      if (Array.isArray(message)) waiting.get(message[1])?.(message[2], message[3]);
    }
  });
  await once(socket, 'data');
  let count = 0;
  const send: Send = (name, parameters = {}) =>
    new Promise((resolve, reject) => {
      count++;
      waiting.set(count, (fault, result) => {
        if (fault === null) resolve(result);
        else reject(new Error(`${name}: ${JSON.stringify(fault).slice(0, 500)}`));
      });
      const message = JSON.stringify([0, count, name, parameters]);
      socket.write(`${Buffer.byteLength(message)}:${message}`);
    });
  return { send, socket };
}
