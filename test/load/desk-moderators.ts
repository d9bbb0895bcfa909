import { randomBytes, randomUUID } from 'node:crypto';
import { loadavg } from 'node:os';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ContributionState, ContributionType } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import {
  type ContributionRecord,
  ListContributionRecordsRequest,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { Browser, Page } from 'playwright-core';
import { launchChromium } from '../harness/chromium.js';
import type { RunningReplicaSet } from '../harness/replica-set.js';
import { asTester, type System, startSystem } from '../harness/system.js';
import { until } from '../harness/until.js';
import { startWebDesk, type WebDesk } from '../harness/web-desk.js';
import { onMongod, quantile, readOptions } from './benchmark.js';

const help = `Measures moderators who empty one queue together in Chromium, with keys alone. Ends with 1 if a decision is double or lost.

  npm run bench:desk -- [--moderators 3] [--contributions 300] [--reading 1000]

--reading  milliseconds that a moderator looks at each item before the first key`;

const values = readOptions(help, {
  moderators: '3',
  contributions: '300',
  reading: '1000',
});

/** What one moderator did. */
interface Work {
  keys: number;
  decided: number;
  /** Decisions that the desk refused, because a colleague was faster. */
  refused: number;
  /** Milliseconds from the last key until the browser has painted that the item is decided and the next one open. */
  readonly effects: number[];
  /** Milliseconds from the last key until the page offers to undo what the server has accepted. */
  readonly confirmed: number[];
}

async function main(mongod: RunningReplicaSet): Promise<void> {
  const count = Number(values.contributions);
  const system = await startSystem({ mongodbUri: mongod.uri });
  const desk = await startWebDesk(system);
  const browser = await launchChromium();
  try {
    for (let at = 0; at < count; at++) await submit(system, at);
    const names = Array.from({ length: Number(values.moderators) }, (_, at) => `moderator-${at + 1}`);
    const loadBefore = loadNow();
    const begun = performance.now();
    const works = await Promise.all(names.map((name) => moderate(browser, system, desk, name)));
    const seconds = (performance.now() - begun) / 1000;
    for (const [index, { decided, refused, keys }] of works.entries()) {
      console.log(
        `${names[index]}: ${decided} decided, ${refused} refused, ${(keys / (decided + refused)).toFixed(2)} keys a decision`,
      );
    }
    console.log(
      `${count} items in ${seconds.toFixed(0)} s; load of the machine ${loadBefore} before, ${loadNow()} after`,
    );
    console.log(`effect         ${shown(works.flatMap(({ effects }) => effects))}`);
    console.log(`confirmed      ${shown(works.flatMap(({ confirmed }) => confirmed))}`);
    const routes = ['POST /queue/:id/decision', 'GET /queue/:id/next'];
    for (const route of routes) console.log(`${route.padEnd(25)} ${shown(serverTimes(desk, route))}`);
    const { double, lost } = await check(system);
    console.log(`${double} double, ${lost} lost`);
    if (double + lost > 0) process.exitCode = 1;
  } finally {
    await browser.close();
    await desk.close();
    await system.close();
  }
}

/** How many processes waited for a processor in the last minute, on average. */
const loadNow = (): string => (loadavg()[0] ?? 0).toFixed(1);

function shown(times: readonly number[]): string {
  const at = (share: number): string => quantile(times, share).toFixed(0);
  return `p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)} ms of ${times.length}`;
}

/** The time that the web desk itself needed for each request, from its log. */
function serverTimes({ process: { output } }: WebDesk, route: string): number[] {
  return output()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes('"message":"request"'))
    .map((line) => JSON.parse(line) as { method: string; route: string; ms: number })
    .filter((line) => `${line.method} ${line.route}` === route)
    .map(({ ms }) => ms);
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
  const work: Work = { keys: 0, decided: 0, refused: 0, effects: [], confirmed: [] };
  const context = await browser.newContext();
  await context.addInitScript(clock);
  await context.exposeFunction('deskConfirmed', (ms: number) => work.confirmed.push(ms));
  await context.exposeFunction('deskRefused', () => work.refused++);
  const page = await context.newPage();
  await page.goto(await desk.signInLink(name, 'moderator'));
  await page.getByRole('button').first().click();
  await page.goto(`${desk.url}/queue`);
  for (let done = 0; await openItem(page, system, desk.url, work); done++) {
    await page.waitForTimeout(Number(values.reading));
    const key = done % 5 === 4 ? 'r' : done % 5 === 3 ? 'a' : 'p';
    // A colleague has decided since the item was chosen, so there is nothing to press.
    if ((await page.locator(`.item [data-key=${key}]`).count()) === 0) {
      await page.goto(`${desk.url}/queue`);
      continue;
    }
    await page.evaluate('window.deskClock.begin()');
    if (key === 'r') await rejectWithWords(page, work);
    else await press(page, work, key);
    work.effects.push(await page.evaluate<number>('window.deskClock.effect()'));
    if (await page.evaluate<boolean>('window.deskClock.isRefused()')) await page.goto(`${desk.url}/queue`);
  }
  await until('the last answer', async () => (await page.locator('#outcome [data-sending]').count()) === 0);
  work.decided = work.effects.length - work.refused;
  return work;
}

/** Makes sure that an item is open. False if nobody needs to decide anything more. */
async function openItem(page: Page, system: System, url: string, work: Work): Promise<boolean> {
  if ((await page.locator('#item-title').count()) > 0) return true;
  while ((await recordsOf(system)).some((record) => isWaiting(record))) {
    await page.goto(`${url}/queue`);
    if ((await page.locator('[data-key=j]').count()) > 0) {
      await press(page, work, 'j');
      const title = page.locator('#item-title:focus');
      const isOpen = await title.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
      if (isOpen) return true;
    }
    // Colleagues decide the last items now.
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

/** Measures in the page, in the frames that the browser paints. */
const clock = `{
  const find = (selector) => document.querySelector(selector);
  const openId = () => find('.item[data-item]')?.dataset.item;
  let key = 0, id = '', title = '';
  const waiting = new Map(), refused = new Set();
  addEventListener('keydown', ({ timeStamp }) => { key = timeStamp; }, true);
  const showsDecision = () => {
    const entry = find('.list a[data-item="' + id + '"]')?.closest('li');
    const isSaid = find('#outcome q')?.textContent === title && (!entry || entry.classList.contains('held'));
    // What is refused before the next item is loaded stays open.
    return refused.has(id) || (openId() !== id && /^(item|list)-title$/.test(document.activeElement?.id) && isSaid);
  };
  const frame = () => new Promise(requestAnimationFrame);
  window.deskClock = {
    begin() { id = openId(); title = find('#item-title').textContent; },
    async effect() {
      waiting.set(id, key);
      while (!showsDecision()) {
        if (performance.now() - key > 60000) throw new Error('no decision is shown: ' + find('main').innerText);
        await frame();
      }
      // What a frame callback sees is painted after it.
      await frame();
      return performance.now() - key;
    },
    isRefused: () => refused.has(openId()),
  };
  const seen = new WeakSet();
  const look = () => {
    const undo = find('#outcome form')?.getAttribute('action') ?? '';
    for (const [each, pressed] of waiting) if (undo.includes(each) && waiting.delete(each)) deskConfirmed(performance.now() - pressed);
    for (const line of document.querySelectorAll('#messages p')) {
      if (seen.has(line)) continue;
      seen.add(line);
      refused.add(line.dataset.refused);
      deskRefused();
    }
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
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

await onMongod(main, { cacheGigabytes: 1 });
