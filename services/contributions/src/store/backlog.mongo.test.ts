import { openTestDatabase } from '@knowledge/runtime/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedContribution } from '../testing/seed.js';
import { createBacklog } from './backlog.js';
import type { ContributionDocument } from './documents.js';

const mongo = openTestDatabase('backlog');
const contributions = mongo.db.collection<ContributionDocument>('contributions');
beforeAll(() => contributions.createIndex({ bands: 1 }, { name: 'bands' }));
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

it('shows at once what is known if published texts cannot be read, and looks again', async () => {
  const id = await unassessed('A text with javascript:alert(1).');
  let answers = false;
  const backlog = createBacklog(mongo.db, async () => (answers ? undefined : 'unknown'));
  expect(await backlog.assessNext(signal)).toBe(0);
  expect(await state(id)).toEqual({ found: ['markup', 'first_contribution', 'published_text'], isDone: false });
  answers = true;
  expect(await backlog.assessNext(signal)).toBe(1);
  expect(await state(id)).toEqual({ found: ['markup', 'first_contribution'], isDone: true });
});

it('gives up after some tries, so that one text keeps no other waiting', async () => {
  const id = await unassessed('Another text of the same human, which nobody can compare.');
  const backlog = createBacklog(mongo.db, async () => 'unknown');
  for (let round = 1; round < 20; round++) expect(await backlog.assessNext(signal)).toBe(0);
  expect(await backlog.assessNext(signal)).toBe(1);
  expect(await state(id)).toMatchObject({ found: expect.arrayContaining(['published_text']), isDone: true });
});
