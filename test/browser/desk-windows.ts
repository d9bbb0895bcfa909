import { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import {
  type HeldDecision,
  ListContributionRecordsRequest,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { ReasonServiceService } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import type { Role } from '@knowledge/runtime/grpc';
import { connectGrpc } from '@knowledge/runtime/grpc';
import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, beforeAll } from 'vitest';
import { contribute, freshEmail, newStory } from '../harness/agent.js';
import { ownChromium, ownSystem, ownWebDesk } from '../harness/own.js';
import { asTester } from '../harness/system.js';
import { until } from '../harness/until.js';

/** What the queue says of the last decision. */
export const outcomeWith = (page: Page, words: string | RegExp): Promise<void> =>
  page.locator('#outcome').getByText(words).waitFor();

/** Presses one key after another, so `...'a text'` types a text. */
export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** A web desk in a Chromium, and an agent that sends what stands in its queue. They end with the file of tests. */
export async function startDeskWindows() {
  const [system, browser] = await Promise.all([ownSystem(), ownChromium()]);
  const desk = await ownWebDesk(system);
  // An open window of the queue loads all that is new, so each test closes the windows that it opened.
  const ofFile: BrowserContext[] = [];
  beforeAll(() => void ofFile.push(...browser.contexts()));
  afterEach(async () => {
    for (const context of browser.contexts().filter((each) => !ofFile.includes(each))) await context.close();
  });
  const token = await system.issueToken(freshEmail());
  /** The record of a text, by its id, its title or its body. */
  const recordOf = async (text: string) => {
    const any = ListContributionRecordsRequest.fromPartial({});
    const { contributions } = await system.clients.moderation.listContributionRecords(any, asTester());
    return contributions.find(({ contribution: each }) => [each?.id, each?.title, each?.body].includes(text));
  };
  return {
    ...{ system, desk, browser, token, recordOf },
    /** Its state, and who decided what while that can be undone. */
    async stateOf(text: string): Promise<string> {
      const { contribution, held } = (await recordOf(text)) ?? {};
      const state = `${contribution?.state}`.replace('CONTRIBUTION_STATE_', '').toLowerCase();
      const because = held?.reason ? ` because ${held.reason}` : '';
      return held === undefined ? state : `${state} held ${decisionWords(held)} by ${held.actor}${because}`;
    },
    /** Sends a story, and returns its id. */
    async send(title: string, fields: Record<string, unknown> = {}): Promise<string> {
      const body = `What we did for ${title}, and what came of it.`;
      const story = newStory({ title, body, ...fields });
      // A busy machine may take too long. An equal text gets the first answer again (gateway/PROTOCOL.md#replays).
      return until('the story to be taken', async () => {
        const { status, json } = await contribute(system, token, story);
        if (status !== 201) throw new Error(`${status} ${JSON.stringify(json)}`);
        return json.contribution.id;
      });
    },
    /** Keeps one canned reason for a rejection. */
    async keepReason(): Promise<void> {
      const address = system.addresses.contributions;
      const reasons = connectGrpc(ReasonServiceService, { address, deadlineMs: 10_000 });
      const words = 'It advertises a product.';
      const reason = { id: 'advertisement', words, decisions: [Decision.REJECT], order: 0 };
      await reasons.putReason({ reason }, asTester());
      reasons.close();
    },
    /** Signs in with the button of the link. */
    async signIn(context: BrowserContext, name: string, ...roles: Role[]): Promise<Page> {
      const page = await context.newPage();
      await page.goto(await desk.signInLink(name, ...roles));
      await page.getByRole('button').first().click();
      await page.getByRole('heading', { name: `Welcome, ${name}` }).waitFor();
      return page;
    },
  };
}

/** What was decided, in words: `approve and publish`. */
export function decisionWords({ decision }: HeldDecision): string {
  return decision.replace('DECISION_', '').replaceAll('_', ' ').toLowerCase();
}
