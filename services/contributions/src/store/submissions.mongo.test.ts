import { randomUUID } from 'node:crypto';
import { workerContext } from '@knowledge/runtime';
import { applySchema } from '@knowledge/runtime/mongodb';
import { openTestDatabase } from '@knowledge/runtime/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { keyLivesMs, payloadLivesMs, type SubmitParts, submit } from '../domain/submit.js';
import { submissionOf } from '../testing/texts.js';
import { createAuthorizationStore } from './authorizations.js';
import type { ContributionDocument } from './contribution-document.js';
import { createPeopleStore } from './people.js';
import { contributionsSchema } from './schema.js';
import { createSubmissionStore, type SlotDocument } from './submissions.js';

const mongo = openTestDatabase('submissions');
const contributions = mongo.db.collection<ContributionDocument>('contributions');
const slots = mongo.db.collection<SlotDocument>('idempotency_slots');
// The real time, because MongoDB deletes slots by its own clock.
const epoch = Date.now();

/** The ids of the charges, in place of the quota service. */
let charged: Set<string>;
let services: [SubmitParts, SubmitParts];

beforeAll(() => applySchema(mongo.db, contributionsSchema));
afterAll(() => mongo.close());
beforeEach(async () => {
  await Promise.all([contributions.deleteMany({}), slots.deleteMany({})]);
  charged = new Set();
  services = [service(), service()];
});

function service(): SubmitParts {
  return {
    // The queue does not wait, so that only the database prevents duplicates.
    queue: { run: (_key, _signal, work) => work() },
    operatorName: '',
    siteUrls: [],
    submissions: createSubmissionStore(mongo.client, mongo.db, {
      authorizations: createAuthorizationStore(mongo.db),
      people: createPeopleStore(mongo.db),
      submitted: () => undefined,
    }),
    limit: { take: async (id) => void charged.add(id), keep: () => undefined },
    activePrompt: async () => undefined,
    findText: async () => undefined,
  };
}

const call = (afterMs = 0) => workerContext(AbortSignal.timeout(10_000), new Date(epoch + afterMs));

it.each([
  ['with one key', 'key'],
  ['without a key', undefined],
])('makes one contribution and one charge for 20 equal parallel submissions %s', async (_, idempotencyKey) => {
  const racing = Array.from({ length: 20 }, (_, i) =>
    submit(submissionOf({ idempotencyKey }), call(), services[i % 2 === 0 ? 0 : 1]),
  );
  const answers = await Promise.all(racing);
  expect(await contributions.countDocuments()).toBe(1);
  expect(charged.size).toBe(1);
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
  for (const { contribution } of answers) expect(contribution).toEqual(answers[0]?.contribution);
});

it('accepts one of two payloads with the same key and refuses the other', async () => {
  const racing = Array.from({ length: 10 }, (_, i) => {
    const payloadHash = (i % 2 === 0 ? 'ab' : 'cd').repeat(32);
    return submit(submissionOf({ idempotencyKey: 'k', payloadHash }), call(), services[i % 2 === 0 ? 0 : 1]);
  });
  const ended = await Promise.allSettled(racing);
  expect(await contributions.countDocuments()).toBe(1);
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  for (const each of ended) {
    if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'idempotency_conflict' });
  }
});

it('makes one contribution if a call is repeated while the first still runs', async () => {
  const submission = submissionOf({ idempotencyKey: 'k' });
  const answers = await Promise.all(services.map((each) => submit(submission, call(), each)));
  expect(answers.map(({ replayed }) => replayed)).toEqual([false, false]);
  expect(await contributions.countDocuments()).toBe(1);
});

it('charges each new contribution in a slot once, also in parallel', async () => {
  await submit(submissionOf(), call(), services[0]);
  for (const generation of [1, 2, 3]) {
    const after = () => call(generation * payloadLivesMs);
    await Promise.all(
      Array.from({ length: 6 }, (_, i) => submit(submissionOf(), after(), services[i % 2 === 0 ? 0 : 1])),
    );
    expect(await contributions.countDocuments()).toBe(generation + 1);
    expect(charged.size).toBe(generation + 1);
  }
});

it('allows a key again after 24 hours, and deletes its slot only after another UTC day', async () => {
  await submit(submissionOf({ idempotencyKey: 'k' }), call(), services[0]);
  const other = submissionOf({ idempotencyKey: 'k', payloadHash: 'cd'.repeat(32) });
  const early = submit(other, call(keyLivesMs - 1), services[1]);
  await expect(early).rejects.toMatchObject({ code: 'idempotency_conflict' });
  expect((await submit(other, call(keyLivesMs), services[1])).replayed).toBe(false);
  for (const { takenAt, deleteAt } of await slots.find().toArray()) {
    expect(deleteAt.getTime() - takenAt.getTime()).toBeGreaterThan(2 * 24 * 3_600_000);
  }
});

it('refuses an id that belongs to another person', async () => {
  const { contribution } = await submit(submissionOf(), call(), services[0]);
  const { contributor } = submissionOf();
  const thief = submissionOf({ id: contribution.id, contributor: { ...contributor, email: 'al@example.org' } });
  await expect(submit(thief, call(), services[1])).rejects.toMatchObject({ code: 'validation_error' });
});

it('stores operators, markup and prototypes as plain text', async () => {
  const body = '{"$ne":null} $where __proto__ <script>alert(1)</script> {{7*7}}';
  const { contribution } = await submit(submissionOf({ body, title: '$set', name: '__proto__' }), call(), services[0]);
  const stored = await contributions.findOne({ _id: contribution.id });
  expect(stored).toMatchObject({ body, title: '$set', name: '__proto__' });
});

it('does not take an erased text again under its key', async () => {
  const sent = submissionOf({ idempotencyKey: 'key' });
  const { contribution } = await submit(sent, call(), services[0]);
  await contributions.updateOne({ _id: contribution.id }, { $set: { email: '', authorizationId: '', erased: true } });
  const again = { ...sent, id: randomUUID() };
  const refused = submit(again, call(), services[0]);
  await expect(refused).rejects.toMatchObject({
    code: 'idempotency_conflict',
    message: expect.stringContaining('erased'),
  });
  const { replayed } = await submit({ ...again, idempotencyKey: 'another' }, call(), services[0]);
  expect(replayed).toBe(false);
});
