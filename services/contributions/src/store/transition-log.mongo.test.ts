import { randomUUID } from 'node:crypto';
import { applySchema } from '@knowledge/runtime/mongodb';
import { openTestDatabase } from '@knowledge/runtime/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Call } from '../domain/call.js';
import { seedContribution } from '../testing/seed.js';
import { createAuthorizationStore } from './authorizations.js';
import { createContributionStore } from './contributions.js';
import { createPromptStore } from './prompts.js';
import { schema } from './schema.js';
import { createTransitionLog, type LogEntry } from './transition-log.js';

const mongo = openTestDatabase('transition_log');
const contributions = createContributionStore(mongo.db, createAuthorizationStore(mongo.db), () => undefined);
const prompts = createPromptStore(mongo.client, mongo.db, () => undefined);

beforeAll(() => applySchema(mongo.db, schema));
afterAll(() => mongo.close());

const signal = (): AbortSignal => AbortSignal.timeout(10_000);

function call(): Call {
  return { now: new Date(), signal: signal(), deadline: Date.now() + 10_000, requestId: 'r', traceparent: undefined };
}

async function decideAll(): Promise<void> {
  const work = Array.from({ length: 30 }, async (_, i) => {
    const { id } = await seedContribution(mongo.db);
    await contributions.apply(id, { command: { kind: 'approve', publish: true, reason: '' }, actor: 'mod' }, call());
    if (i % 3 > 0) await contributions.apply(id, { command: { kind: 'retract', reason: 'x' }, actor: 'mod' }, call());
    if (i % 3 > 1) await contributions.apply(id, { command: { kind: 'publish', reason: '' }, actor: 'mod' }, call());
  });
  const asked = Array.from({ length: 5 }, () => {
    const fields = {
      id: randomUUID(),
      site: 'org' as const,
      question: 'What surprised you?',
      opensAt: null,
      closesAt: null,
    };
    return prompts.create({ ...fields, activate: true }, 'editor', call());
  });
  await Promise.all([...work, ...asked]);
}

it('holds every transition once, without gaps, in the order of revisions, whoever appends and wherever it dies', async () => {
  const logs = [createTransitionLog(mongo.db), createTransitionLog(mongo.db), createTransitionLog(mongo.db)];
  let deciding = true;
  const decided = decideAll().finally(() => {
    deciding = false;
  });
  const appending = logs.map(async (log) => {
    while (deciding || (await log.collect(signal()))) await log.collect(signal());
  });
  // What a replica that died between writing and clearing leaves behind.
  const dying = (async () => {
    while (deciding) {
      await mongo.db.collection('contributions').updateMany({}, { $set: { logPending: true } });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  await Promise.all([decided, ...appending, dying]);
  while (await logs[0]?.collect(signal()));
  await logs[0]?.collect(signal());

  const entries: LogEntry[] = [];
  for (;;) {
    const page = (await logs[1]?.read(entries.length, 7, signal())) ?? [];
    if (page.length === 0) break;
    entries.push(...page);
  }
  expect(entries.map(({ position }) => position)).toEqual(entries.map((_, i) => i + 1));
  const documents = [
    ...(await mongo.db.collection('contributions').find().toArray()),
    ...(await mongo.db.collection('prompts').find().toArray()),
  ];
  for (const { _id, history } of documents) {
    const logged = entries.filter(({ id }) => id === String(_id));
    expect(logged.map(({ from, to, revision }) => ({ from, to, revision }))).toEqual(
      (history as LogEntry[]).map(({ from, to, revision }) => ({ from, to, revision })),
    );
  }
  expect(entries).toHaveLength(documents.reduce((sum, { history }) => sum + history.length, 0));
  expect(await mongo.db.collection('contributions').countDocuments({ logPending: true })).toBe(0);
});
