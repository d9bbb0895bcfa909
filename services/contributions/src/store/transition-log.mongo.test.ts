import { randomUUID } from 'node:crypto';
import { workerContext } from '@knowledge/runtime';
import { applySchema } from '@knowledge/runtime/mongodb';
import { openTestDatabase } from '@knowledge/runtime/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Command } from '../domain/contribution.js';
import { review } from '../domain/review.js';
import { createPrompt, openPrompt } from '../prompts/domain.js';
import { createPromptStore, type PromptDocument, promptsSchema } from '../prompts/store.js';
import { seedContribution } from '../testing/seed.js';
import { createAuthorizationStore } from './authorizations.js';
import type { ContributionDocument } from './contribution-document.js';
import { createContributionStore } from './contributions.js';
import { contributionsSchema } from './schema.js';
import { createTransitionLog } from './transition-log.js';

const mongo = openTestDatabase('transition_log');
const contributions = createContributionStore(mongo.db, createAuthorizationStore(mongo.db), () => undefined);
const prompts = createPromptStore(mongo.client, mongo.db, () => undefined);

beforeAll(() => applySchema(mongo.db, [...contributionsSchema, ...promptsSchema]));
afterAll(() => mongo.close());

const signal = (): AbortSignal => AbortSignal.timeout(10_000);

const call = () => workerContext(signal(), new Date());

async function decideAll(): Promise<void> {
  const work = Array.from({ length: 30 }, async (_, i) => {
    const { id } = await seedContribution(mongo.db);
    const change = (command: Command, reason = '') =>
      contributions.change(id, review({ command, act: { actor: 'mod', at: new Date(), reason } }), call());
    await change({ kind: 'approve_and_publish' });
    if (i % 3 > 0) await change({ kind: 'retract' }, 'x');
    if (i % 3 > 1) await change({ kind: 'publish' });
  });
  const asked = Array.from({ length: 5 }, () => {
    const fields = { id: randomUUID(), site: 'org' as const, opensAt: null, closesAt: null, activate: true };
    const act = { actor: 'editor', at: new Date(), reason: '' };
    const made = createPrompt({ ...fields, question: 'What surprised you?' }, act);
    return prompts.create(made, (_, active) => openPrompt(made, active, act), call());
  });
  await Promise.all([...work, ...asked]);
}

it('contains every transition once, in the order of revisions', async () => {
  await decideAll();
  const log = createTransitionLog(mongo.db);
  while (await log.collect(signal()));
  const entries = await log.read(0, 1000, signal());
  const documents = [
    ...(await mongo.db.collection<ContributionDocument>('contributions').find().toArray()),
    ...(await mongo.db.collection<PromptDocument>('prompts').find().toArray()),
  ];
  for (const { _id, history, logSince } of documents) {
    expect(logSince).toBeUndefined();
    expect(entries.filter(({ id }) => id === _id)).toMatchObject(history);
  }
  expect(entries).toHaveLength(documents.reduce((sum, { history }) => sum + history.length, 0));
});
