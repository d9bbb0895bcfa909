import { randomBytes, randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { findMongodBinary } from '@knowledge/local/mongod';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ContributionState, ContributionType } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import {
  type ContributionRecord,
  ListContributionRecordsRequest,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../harness/chromium.js';
import { startReplicaSet } from '../harness/replica-set.js';
import { asTester, type System, startSystem } from '../harness/system.js';
import { until } from '../harness/until.js';
import { startWebDesk, type WebDesk } from '../harness/web-desk.js';

const help = `Measures moderators who empty one queue together in Chromium, with keys alone. Ends with 1 if a decision is double or lost.

  npm run bench:desk -- [--moderators 3] [--contributions 300]`;

const { values } = parseArgs({
  options: {
    moderators: { type: 'string', default: '3' },
    contributions: { type: 'string', default: '300' },
    help: { type: 'boolean', default: false },
  },
});

/** What one moderator did. */
interface Work {
  keys: number;
  decided: number;
  /** Decisions that the desk refused, because a colleague was faster. */
  refused: number;
  /** Milliseconds from the last key of a decision until the next item is open and has the focus. */
  readonly effects: number[];
}

async function main(): Promise<void> {
  const count = Number(values.contributions);
  const binary = await findMongodBinary({ env: process.env, log: (line) => console.error(line) });
  const mongod = await startReplicaSet(1, { binary, cacheGigabytes: 1 });
  const system = await startSystem({ mongodbUri: mongod.uri });
  const desk = await startWebDesk(system);
  const browser = await launchChromium();
  try {
    for (let at = 0; at < count; at++) await submit(system, at);
    const names = Array.from({ length: Number(values.moderators) }, (_, at) => `moderator-${at + 1}`);
    const begun = performance.now();
    const works = await Promise.all(names.map((name) => moderate(browser, system, desk, name)));
    const seconds = (performance.now() - begun) / 1000;
    const effects = works.flatMap((work) => work.effects).sort((a, b) => a - b);
    const at = (share: number): string => (effects[Math.floor(effects.length * share)] ?? 0).toFixed(0);
    for (const [index, { decided, refused, keys }] of works.entries()) {
      console.log(
        `${names[index]}: ${decided} decided, ${refused} refused, ${(keys / decided).toFixed(2)} keys a decision`,
      );
    }
    console.log(
      `${count} items in ${seconds.toFixed(0)} s; effect p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)} ms`,
    );
    const { double, lost } = await check(system);
    console.log(`${double} double, ${lost} lost`);
    if (double + lost > 0) process.exitCode = 1;
  } finally {
    await browser.close();
    await desk.close();
    await system.close();
    await mongod.stop();
  }
}

async function submit({ clients }: System, at: number): Promise<void> {
  const person = { email: `human-${at}@example.org`, tokenId: randomUUID(), authorizationId: randomUUID() };
  const contributor = { ...person, scopes: ['write:story'], agentName: `Agent ${at}` };
  const text = { title: `Story ${at}`, body: `What happened to us in week ${at}: ${randomBytes(40).toString('hex')}.` };
  const optional = { name: undefined, promptId: undefined, idempotencyKey: undefined, language: undefined };
  const request = { id: randomUUID(), type: ContributionType.STORY, site: Site.ORG, payloadHash: randomBytes(32) };
  await clients.contributions.submitContribution({ contributor, ...request, ...text, ...optional }, asTester());
}

/** Decides until nothing waits: three of five are published, one is approved, one is rejected. */
async function moderate(browser: Browser, system: System, desk: WebDesk, name: string): Promise<Work> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(await desk.signInLink(name, 'moderator'));
  await page.getByRole('button').first().click();
  await page.goto(`${desk.url}/queue`);
  const work: Work = { keys: 0, decided: 0, refused: 0, effects: [] };
  await page.evaluate(clock);
  for (;;) {
    if ((await page.locator('#item-title').count()) === 0 && !(await openFirst(page, system, desk.url, work)))
      return work;
    const key = work.decided % 5 === 4 ? 'r' : work.decided % 5 === 3 ? 'a' : 'p';
    // A colleague has decided since the item was chosen, so there is nothing to press.
    if ((await page.locator(`[data-key=${key}]`).count()) === 0) {
      await page.goto(`${desk.url}/queue`);
      continue;
    }
    await page.evaluate('window.deskClock.reset()');
    if (key === 'r') await rejectWithWords(page, work);
    else await press(page, work, key);
    const outcome = await page.evaluate<{ ms: number; refused: boolean }>('window.deskClock.next()');
    if (!outcome.refused) {
      work.decided++;
      work.effects.push(outcome.ms);
      continue;
    }
    work.refused++;
    await page.goto(`${desk.url}/queue`);
    await page.evaluate(clock);
  }
}

/** Opens the first item that nobody has decided. False if there is none. */
async function openFirst(page: Page, system: System, url: string, work: Work): Promise<boolean> {
  while ((await recordsOf(system)).some((record) => isWaiting(record))) {
    await page.goto(`${url}/queue`);
    await page.evaluate(clock);
    const first = page.locator('.list li:not(.held) a').first();
    if ((await first.count()) > 0) {
      work.keys++;
      await first.click();
      // Keys work as soon as the focus is on the item.
      await until('the focus on the item', () => page.evaluate('document.activeElement?.id === "item-title"'));
      return true;
    }
    // All items of the page are held: they leave it when their decisions take effect.
    await page.waitForTimeout(500);
  }
  return false;
}

async function press(page: Page, work: Work, key: string): Promise<void> {
  work.keys++;
  await page.keyboard.press(key);
}

/** The words are no keys of a decision: a canned reason would be one key. */
async function rejectWithWords(page: Page, work: Work): Promise<void> {
  await press(page, work, 'r');
  await page.keyboard.insertText('It says nothing of what happened.');
  await press(page, work, 'Control+Enter');
}

/** Measures in the page: from a key until htmx has put in the next item, or the desk has refused. */
const clock = `if (!window.deskClock) {
  const clock = { key: 0, done: undefined, reset() { clock.done = undefined; }, async next() {
    for (const end = performance.now() + 20000; performance.now() < end && !clock.done; ) await new Promise(requestAnimationFrame);
    return clock.done ?? { ms: 20000, refused: true };
  } };
  window.deskClock = clock;
  addEventListener('keydown', (event) => { clock.key = event.timeStamp; }, true);
  addEventListener('htmx:afterSettle', ({ target }) => {
    if (target.id === 'workspace') clock.done = { ms: performance.now() - clock.key, refused: false };
  });
  addEventListener('htmx:responseError', () => { clock.done = { ms: performance.now() - clock.key, refused: true }; });
}`;

async function recordsOf({ clients }: System): Promise<readonly ContributionRecord[]> {
  const records: ContributionRecord[] = [];
  for (let pageToken = ''; ; ) {
    const request = ListContributionRecordsRequest.fromPartial({ pageSize: 200, pageToken });
    const page = await clients.moderation.listContributionRecords(request, asTester());
    records.push(...page.contributions);
    pageToken = page.nextPageToken;
    if (pageToken === '') return records;
  }
}

function isWaiting({ contribution, held }: ContributionRecord): boolean {
  return contribution?.state === ContributionState.PENDING_REVIEW && held === undefined;
}

/** Waits until every decision has taken effect, then counts items with two decisions and items without one. */
async function check(system: System): Promise<{ double: number; lost: number }> {
  const isHeld = async () => (await recordsOf(system)).some(({ held }) => held !== undefined);
  await until('every decision to take effect', async () => !(await isHeld()), 90_000);
  const result = { double: 0, lost: 0 };
  for (const { contribution } of await recordsOf(system)) {
    const { id = '' } = contribution ?? {};
    const whole = await system.clients.moderation.getContributionRecord({ id }, asTester());
    const decided = whole.contribution?.history.filter(({ toState }) => toState === 'decided').length ?? 0;
    if (decided > 1) result.double++;
    if (decided === 0 || contribution?.state === ContributionState.PENDING_REVIEW) result.lost++;
  }
  return result;
}

if (values.help) console.log(help);
else await main();
