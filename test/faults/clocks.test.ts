import { randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { PutArticleDraftRequest } from '@knowledge/proto/knowledge/content/v1/article_drafts';
import { ContributionState } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { Decision as Review } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import { Decision } from '@knowledge/proto/knowledge/identity/v1/identity';
import { afterAll, expect, test } from 'vitest';
import {
  askForAccess,
  confirmationCodeIn,
  confirmationMail,
  contribute,
  freshEmail,
  newStory,
  recordOf,
} from '../harness/agent.js';
import { putArticle } from '../harness/articles.js';
import { clockAhead } from '../harness/clock.js';
import { call } from '../harness/http.js';
import { ownSystem } from '../harness/own.js';
import { asTester, connectAll, type System, type SystemClients, serviceNames } from '../harness/system.js';
import { until } from '../harness/until.js';

const envOf = Object.fromEntries(serviceNames.map((name) => [`${name}-replica`, clockAhead(120)]));
const system = await ownSystem({ envOf, env: { CODE_TTL_MINUTES: '1' } });
const replicas = await Promise.all(serviceNames.map(async (name) => [name, await system.startReplica(name)] as const));
const addresses = Object.fromEntries(replicas.map(([name, { address }]) => [name, address]));
/** Replicas of all services, with the same databases. Their clocks are two minutes ahead. */
const ahead = connectAll(addresses as System['addresses'], undefined);
afterAll(() => {
  for (const client of Object.values(ahead)) client.close();
});

const inSeconds = (seconds: number): Date => new Date(Date.now() + seconds * 1000);

test('a decision is held and can be undone until its time is over, whichever replica took it', async () => {
  const token = await system.issueToken(freshEmail());
  const hand = async (): Promise<string> => (await contribute(system, token, newStory())).json.contribution.id;
  const hold = async ({ moderation }: SystemClients, holdSeconds: number): Promise<string> => {
    const request = { id: await hand(), expectedRevision: 0, reason: 'Off topic.', holdSeconds };
    await moderation.decide({ ...request, decision: Review.REJECT }, asTester());
    return request.id;
  };
  const held = [await hold(system.clients, 60), await hold(ahead, 60)];
  const short = await hold(ahead, 1);
  const stateOf = async (id: string) => (await recordOf(system, id))?.contribution?.state;
  await until('the short one to take effect', async () => (await stateOf(short)) === ContributionState.REJECTED);

  await ahead.moderation.undoDecision({ id: held[0] ?? '', expectedRevision: 0 }, asTester());
  await system.clients.moderation.undoDecision({ id: held[1] ?? '', expectedRevision: 0 }, asTester());
  expect(await Promise.all(held.map(stateOf))).toEqual(held.map(() => ContributionState.PENDING_REVIEW));
});

test('nothing that is scheduled appears early', async () => {
  const read = async (slug: string) =>
    (await call(`${system.url}/api/v1/content/${slug}?site=org`, { headers: { 'x-agent-client-id': randomUUID() } }))
      .json;
  const [later, soon] = [inSeconds(100), inSeconds(3)];
  for (const { editorial, articleDrafts, prompts } of [system.clients, ahead]) {
    const slug = editorial === ahead.editorial ? 'ahead' : 'here';
    await putArticle(system, { slug: `${slug}-later`, publishedAt: later });
    await putArticle(system, { slug: `${slug}-soon`, publishedAt: soon });
    await putArticle(system, { slug });
    const next = PutArticleDraftRequest.fromPartial({
      site: Site.ORG,
      slug,
      baseRevision: 1,
      title: 'The next title',
      body: 'Next.',
    });
    await articleDrafts.putArticleDraft(next, asTester());
    const publication = { site: Site.ORG, slug, at: later, expectedRevision: 0, reason: '' };
    await articleDrafts.publishArticleDraft(publication, asTester());
    const prompt = { id: randomUUID(), site: Site.ORG, question: `What is ${slug}?`, closesAt: undefined };
    await prompts.createPrompt({ ...prompt, opensAt: later, activate: false }, asTester());
  }
  for (const slug of ['here', 'ahead']) {
    await until(`${slug}-soon to appear`, async () => (await read(`${slug}-soon`)).ok);
    expect((await read(`${slug}-later`)).error).toBe('not_found');
    expect((await read(slug)).article.title).toBe(`About ${slug}`);
  }
  expect((await call(`${system.url}/api/v1/prompts/active?site=org`)).status).toBe(404);
});

test('a mailed link works as long as it says, and so does what it leads to', async () => {
  for (const { identity } of [ahead, system.clients]) {
    const email = freshEmail();
    const { deviceCode } = await askForAccess(system, email);
    const code = confirmationCodeIn(await confirmationMail(system, email)) ?? '';
    const decision = { code, decision: Decision.CONFIRM, userCode: '', fromPage: false, keepWaiting: false };
    await identity.decideAuthorization(decision, asTester());
    const { outcome } = await identity.exchangeDeviceCode({ deviceCode }, asTester());
    expect(outcome).toMatchObject({ $case: 'issued' });
  }
});
