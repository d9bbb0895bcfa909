import { openTestDatabase } from '@knowledge/runtime/testing';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { indexesOfChecks, seedContribution } from '../testing/seed.js';
import { createBacklog } from './assessment.js';
import type { ContributionDocument } from './contribution-document.js';

const mongo = openTestDatabase('backlog');
const contributions = mongo.db.collection<ContributionDocument>('contributions');
beforeAll(() => contributions.createIndexes(indexesOfChecks));
afterEach(() => contributions.deleteMany());
afterAll(() => mongo.close());

const { signal } = new AbortController();
const state = async (id: string) => {
  const { findings = [], terms } = (await contributions.findOne({ _id: id })) ?? {};
  return { found: findings.map(({ check }) => check), isDone: terms !== undefined };
};
const unassessed = async (body: string) => {
  const { id } = await seedContribution(mongo.db, { body });
  await contributions.updateOne({ _id: id }, { $unset: { terms: 1, bands: 1, risk: 1, findings: 1 } });
  return id;
};

it('shows at once what is known if published texts cannot be read, and looks again until they are compared', async () => {
  const id = await unassessed('A text with javascript:alert(1).');
  let answers = false;
  const backlog = createBacklog(mongo.db, async () => (answers ? {} : { published: 'unknown' }));
  expect(await backlog.assessNext(signal)).toBe(1);
  const unknown = { found: ['markup', 'first_contribution', 'published_text'], isDone: true };
  expect(await state(id)).toEqual(unknown);
  expect(await backlog.assessNext(signal)).toBe(0);
  expect(await state(id)).toEqual(unknown);
  answers = true;
  expect(await createBacklog(mongo.db, async () => ({})).assessNext(signal)).toBe(1);
  expect(await state(id)).toEqual({ found: ['markup', 'first_contribution'], isDone: true });
  expect(await backlog.assessNext(signal)).toBe(0);
});

it('assesses every text while published texts cannot be read, and compares each as soon as they can', async () => {
  const ids: string[] = [];
  for (let count = 1; count <= 120; count++) ids.push(await unassessed(`Text ${count} that waits.`));
  const never = ids.slice(0, 60);
  const isCompared = (id: string) => answers && !never.includes(id);
  let answers = false;
  const backlog = createBacklog(mongo.db, async ({ id }) => (isCompared(id) ? {} : { published: 'unknown' }));
  const rounds: number[] = [];
  for (let round = 0; round < 5; round++) rounds.push(await backlog.assessNext(signal));
  expect(rounds).toEqual([50, 50, 20, 0, 0]);
  expect(await contributions.countDocuments({ 'findings.check': 'published_text' })).toBe(120);
  answers = true;
  for (let round = 0; round < 4; round++) await backlog.assessNext(signal);
  const left = await contributions.find({ 'findings.check': 'published_text' }).toArray();
  expect(new Set(left.map(({ _id }) => _id))).toEqual(new Set(never));
});
