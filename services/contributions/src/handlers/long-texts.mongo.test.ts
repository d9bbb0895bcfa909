import { randomUUID } from 'node:crypto';
import { ContributionState } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { ContributionFilter, RecordOrder } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { readPieces } from '@knowledge/runtime/client';
import { allPages } from '@knowledge/runtime/testing';
import { expect, it } from 'vitest';
import { seedContribution } from '../testing/seed.js';
import { by, startReplicas } from '../testing/start-replicas.js';

// The longest text that an agent can send: 8,000 characters of 4 bytes each. Together they are 5.6 MB.
const body = '🗄'.repeat(8_000);
const count = 175;
const email = 'ada@example.org';

const service = await startReplicas('long_texts');
const [replica] = service.replicas;
const { id } = await seedContribution(service.db, { email, body });
const stored = service.db.collection<{ _id: string }>('contributions');
const copies = Array.from({ length: count - 1 }, () => ({ _id: randomUUID() }));
const original = await stored.findOne({ _id: id });
await stored.insertMany(copies.map((copy) => ({ ...original, ...copy })));
const ids = [id, ...copies.map(({ _id }) => _id)].sort();

it('exports all long texts of a person', async () => {
  const data = await readPieces(replica.moderation.streamContributorExport({ email, reason: 'T-1' }, by()));
  expect(data).toMatchObject({ email, notes: [], mail_choice: null });
  const texts = data.contributions as { id: string; body: string }[];
  expect(texts.map(({ id }) => id).sort()).toEqual(ids);
  expect(texts.every((text) => text.body === body)).toBe(true);
});

it('refuses an export without an actor, before it sends anything', async () => {
  const stream = replica.moderation.streamContributorExport({ email }, { requestId: 'x' });
  await expect(readPieces(stream)).rejects.toMatchObject({ code: 'validation_error' });
});

it.each(['OLDEST', 'NEWEST', 'RISK'] as const)('ends pages of moderators by their size in bytes: %s', async (order) => {
  const request = { filter: ContributionFilter.fromPartial({ email }), pageSize: 200, order: RecordOrder[order] };
  const pages = await allPages((pageToken) =>
    replica.moderation.listContributionRecords({ ...request, pageToken }, by()),
  );
  expect(pages.map(({ contributions }) => contributions.length)).not.toContain(0);
  const found = pages.flatMap(({ contributions }) => contributions.map(({ contribution }) => contribution?.id));
  expect(found.sort()).toEqual(ids);
});

it('ends pages of an agent by their size in bytes', async () => {
  const request = { email, authorizationId: '', state: ContributionState.UNSPECIFIED, pageSize: 200 };
  const pages = await allPages((pageToken) => replica.contributions.listContributions({ ...request, pageToken }, by()));
  expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([count]));
  expect(pages.map(({ contributions }) => contributions.length)).not.toContain(0);
  expect(pages.flatMap(({ contributions }) => contributions.map(({ id }) => id)).sort()).toEqual(ids);
});
