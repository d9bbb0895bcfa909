import { createHash, randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import {
  ContributionState,
  ContributionType,
  type SubmitContributionRequest,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { startServiceProcess } from '@knowledge/runtime/testing';
import { afterAll, expect, it } from 'vitest';
import { startReplicas } from '../testing/start-replicas.js';

// Runs the built quota service as a separate process.
const database = `submit_quota_${randomUUID().slice(0, 8)}`;
const quota = await startServiceProcess('quota', database);
const service = await startReplicas('submit', { env: { QUOTA_ADDRESS: quota.address }, drop: { quota: database } });
afterAll(async () => {
  // The quota service closes first, since the database is dropped afterwards.
  await quota.close();
});

const scopes = ['write:story', 'write:inquiry', 'write:prompt_reply'];
const call = () => ({ requestId: randomUUID() });
const door = (turn = 0) => service.at(turn).contributions;

function request(fields: Partial<SubmitContributionRequest> = {}, email = 'jo@example.org'): SubmitContributionRequest {
  const { title = 'What we learned', body = 'It went well, and this is why.' } = fields;
  return {
    contributor: { email, tokenId: randomUUID(), scopes, agentName: 'Atlas', authorizationId: email },
    ...{ id: randomUUID(), type: ContributionType.STORY, site: Site.ORG, title, body },
    ...{ name: undefined, promptId: undefined, idempotencyKey: undefined },
    payloadHash: createHash('sha256').update(`${title}\n${body}`).digest(),
    ...fields,
  };
}

it('compares texts of one mailbox in all its spellings', async () => {
  const text = { title: 'The same', body: 'The same text from one mailbox, twice.' };
  const first = await door().submitContribution(request(text, 'jane.doe@gmail.com'), call());
  const contributions = service.db.collection('contributions');
  const second = await door(1).submitContribution(request(text, 'janedoe@googlemail.com'), call());
  const stored = await contributions.findOne({ _id: second.contribution?.id as never });
  expect(stored).toMatchObject({
    email: 'janedoe@googlemail.com',
    mailbox: 'janedoe@gmail.com',
    duplicateOf: { id: first.contribution?.id, own: false },
  });
  const other = await door().submitContribution(request(text, 'jane.doe@example.org'), call());
  expect((await contributions.findOne({ _id: other.contribution?.id as never }))?.['duplicateOf']).toBeNull();
});

const own = (email: string) => service.db.collection('contributions').countDocuments({ email });

it.each([
  ['with a key', 'key-1'],
  ['without a key', undefined],
])('makes and charges one contribution for 20 equal parallel submissions %s', async (_, idempotencyKey) => {
  const email = `race-${randomUUID()}@example.org`;
  const post = (i: number, fields = {}) => door(i).submitContribution(request(fields, email), call());
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => post(i, { idempotencyKey })));
  expect(await own(email)).toBe(1);
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  for (const { contribution } of answers) expect(contribution).toEqual(answers[0]?.contribution);
  // After this submission, the daily limit allows exactly 19 more.
  const others = Array.from({ length: 25 }, (_, i) => post(i, { title: `Story number ${i}` }));
  const ended = await Promise.allSettled(others);
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(19);
  expect(await own(email)).toBe(20);
  for (const each of ended) {
    if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'rate_limited' });
  }
  // A replay succeeds even if the limit is reached.
  expect(await post(0, { idempotencyKey })).toEqual({ ...answers[0], replayed: true });
});

it('refuses what the token has no scope for', async () => {
  const poor = { ...request().contributor, scopes: ['write:inquiry'] } as SubmitContributionRequest['contributor'];
  const refused = door().submitContribution({ ...request(), contributor: poor }, call());
  await expect(refused).rejects.toMatchObject({ code: 'insufficient_scope' });
});

it('counts by mailbox, and returns the time of the next possible attempt', async () => {
  const mailbox = `box-${randomUUID()}`;
  for (let i = 0; i < 20; i++) {
    await door(i).submitContribution(request({ title: `Story number ${i}` }, `${mailbox}+${i}@example.org`), call());
  }
  const beyond = door().submitContribution(request({}, `${mailbox}@example.org`), call());
  await expect(beyond).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: expect.any(Number) });
});

it('accepts a reply to the active prompt only', async () => {
  const email = `reply-${randomUUID()}@example.org`;
  const id = randomUUID();
  const question = 'What surprised you most?';
  const prompt = { id, site: Site.ORG, question, opensAt: undefined, closesAt: undefined, activate: true };
  await service.replicas[0].prompts.createPrompt(prompt, { ...call(), actor: 'editor' });
  const reply = (body: string, promptId?: string) => {
    const sent = { ...request({ body }, email), type: ContributionType.PROMPT_REPLY, title: undefined, promptId };
    return door().submitContribution(sent, call());
  };
  const { contribution } = await reply('A reply by default.');
  expect(contribution).toMatchObject({ promptId: id, state: ContributionState.PENDING_REVIEW });
  await expect(reply('A reply to another.', randomUUID())).rejects.toMatchObject({ code: 'validation_error' });
  await service.replicas[1].prompts.closePrompt({ id }, { ...call(), actor: 'editor' });
});

it('responds with unavailable while the quota service is down, and later accepts the same submission', async () => {
  const email = `outage-${randomUUID()}@example.org`;
  const post = { ...request({ idempotencyKey: 'k' }, email) };
  await quota.kill();
  await expect(door().submitContribution(post, call())).rejects.toMatchObject({ code: 'unavailable' });
  expect(await own(email)).toBe(0);
  await quota.restart();
  const { replayed } = await door(1).submitContribution({ ...post, id: randomUUID() }, call());
  expect(replayed).toBe(false);
});
