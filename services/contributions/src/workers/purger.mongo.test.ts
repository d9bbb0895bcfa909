import { randomUUID } from 'node:crypto';
import { ContributionState } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { readPieces } from '@knowledge/runtime/client';
import { expect, it, vi } from 'vitest';
import { seedContribution } from '../testing/seed.js';
import { by, startReplicas } from '../testing/start-replicas.js';

const dayMs = 86_400_000;
let skipMs = 0;

const service = await startReplicas('purger', { clock: () => new Date(Date.now() + skipMs) });

const owner = (email: string) => ({ email, authorizationId: '' });
const stored = (id: string) => service.db.collection<{ _id: string }>('contributions').countDocuments({ _id: id });

async function withdrawn(email: string): Promise<string> {
  const { id } = await seedContribution(service.db, { email, body: 'Call +44 20 7946 0958 for it.' });
  await service.replicas[0].teamwork.addNote({ contributionId: id, id: randomUUID(), text: 'A number.' }, by());
  await service.replicas[0].contributions.withdrawContribution({ ...owner(email), id, ifRevisions: [] }, by());
  return id;
}

it('erases what its human withdrew at once if they say so, with notes and the words of the log', async () => {
  const [first, second] = service.replicas;
  const email = 'now@example.org';
  const id = await withdrawn(email);
  const { erasesAt, updatedAt } = await first.read(id, email);
  expect((erasesAt?.getTime() ?? 0) - (updatedAt?.getTime() ?? 0)).toBe(30 * dayMs);
  const data = await readPieces(first.moderation.streamContributorExport({ email }, by()));
  expect(data).toMatchObject({ contributions: [{ erases_at: erasesAt?.toISOString() }] });

  await first.contributions.eraseContribution({ email: 'other@example.org', id }, by());
  expect(await stored(id)).toBe(1);
  const both = [first, second].map((each) =>
    each.contributions.eraseContribution({ email: 'NOW@example.org', id }, by()),
  );
  await Promise.all(both);
  const gone = expect.objectContaining({ code: 'not_found' });
  await expect(first.record(id)).rejects.toThrow(gone);
  await expect(second.read(id, email)).rejects.toThrow(gone);
  await vi.waitUntil(async () => (await stored(id)) === 0);
  const log = service.db.collection('transitions');
  expect(await log.countDocuments({ id, reason: { $ne: '' } })).toBe(0);
  expect(await service.db.collection('notes').countDocuments({ contributionId: id })).toBe(0);
  const left = await readPieces(first.moderation.streamContributorExport({ email }, by()));
  expect(JSON.stringify(left)).not.toContain('7946');
});

it('erases nothing that is not withdrawn', async () => {
  const email = 'waiting@example.org';
  const { id } = await seedContribution(service.db, { email });
  const erased = service.replicas[0].contributions.eraseContribution({ email, id }, by());
  await expect(erased).rejects.toMatchObject({
    code: 'invalid_state',
    message: 'Only what is withdrawn can be erased; this is pending_review.',
  });
});

it('erases what is withdrawn for 30 days by itself, and nothing else', async () => {
  const email = 'later@example.org';
  const [first] = service.replicas;
  const [id, waiting] = [await withdrawn(email), (await seedContribution(service.db, { email })).id];
  skipMs = 29 * dayMs;
  // A write wakes the workers, which then look at the clock.
  const recent = await withdrawn('recent@example.org');
  const all = { ...owner(email), state: ContributionState.UNSPECIFIED, pageSize: 0, pageToken: '' };
  const list = () => first.contributions.listContributions(all, by());
  expect((await list()).total).toBe(2);
  skipMs = 30 * dayMs + 60_000;
  await first.contributions.withdrawContribution({ ...owner(email), id: waiting, ifRevisions: [] }, by());
  await vi.waitUntil(async () => (await stored(id)) === 0, 20_000);
  const { contributions } = await list();
  expect(contributions.map((each) => [each.id, each.state])).toEqual([[waiting, ContributionState.WITHDRAWN]]);
  expect(await stored(recent)).toBe(1);
});
