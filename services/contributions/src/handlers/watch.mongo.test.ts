import { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import { collect } from '@knowledge/runtime/testing';
import { expect, it, vi } from 'vitest';
import { seedContribution } from '../testing/seed.js';
import { by, type Replica, startReplicas } from '../testing/start-replicas.js';

const service = await startReplicas('watch');

const watch = ({ moderation }: Replica, afterCursor: string) =>
  collect(moderation.watchContributions({ afterCursor }, by()));

async function publish(): Promise<string> {
  const { id } = await seedContribution(service.db);
  await service.replicas[0].decide(id, Decision.APPROVE_AND_PUBLISH, { reason: 'well told' });
  return id;
}

it('streams the same entries from every replica, from the beginning or resumed, and repeats none', async () => {
  const ids = [await publish(), await publish()];
  const [one, other] = service.replicas.map((replica) => watch(replica, '0'));
  await vi.waitUntil(() => one?.seen.length === 6 && other?.seen.length === 6);
  expect(one?.seen).toEqual(other?.seen);
  const titles = await service.db.collection<{ _id: string; title: string }>('contributions').find().toArray();
  expect(one?.seen[2]).toMatchObject({
    title: titles.find(({ _id }) => _id === ids[0])?.title,
    cursor: expect.stringMatching(/^3-/),
    subject: 'contribution',
    id: ids[0],
    transition: { fromState: 'approved', toState: 'published', actor: 'mod', reason: 'well told', revision: 3 },
  });
  one?.stop();
  ids.push(await publish());
  const resumed = watch(service.replicas[1], one?.seen.at(-1)?.cursor ?? '');
  await vi.waitUntil(() => resumed.seen.length === 3 && other?.seen.length === 9);
  expect([...(one?.seen ?? []), ...resumed.seen]).toEqual(other?.seen);
  resumed.stop();
  other?.stop();
});

it('refuses an unknown cursor', async () => {
  for (const cursor of ['x', '-1', '1.5', '1e3', '99999999999999999']) {
    expect(await watch(service.replicas[0], cursor).ended).toMatchObject({ code: 'validation_error' });
  }
});
