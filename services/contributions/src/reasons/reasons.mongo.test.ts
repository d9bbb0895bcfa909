import { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import { expect, it, vi } from 'vitest';
import { by, startReplicas } from '../testing/start-replicas.js';

const service = await startReplicas('reasons');

const reason = (id: string, order = 0, words = 'It is an advertisement.') => ({
  ...{ id, words, order, decisions: [Decision.REJECT, Decision.CLOSE] },
});
const list = async () => (await service.replicas[1].reasons.listReasons({}, by('mod'))).reasons;

it('puts, orders, replaces and deletes reasons, and logs who did what', async () => {
  const { reasons } = service.replicas[0];
  await reasons.putReason({ reason: reason('off-topic', 2) }, by('ada'));
  await reasons.putReason({ reason: reason('advertisement', 1) }, by('ada'));
  await reasons.putReason({ reason: reason('advertisement', 1) }, by('bob'));
  await reasons.putReason({ reason: reason('off-topic', 0, 'Not here.') }, by('bob'));
  expect(await list()).toEqual([reason('off-topic', 0, 'Not here.'), reason('advertisement', 1)]);
  await reasons.deleteReason({ id: 'off-topic' }, by('ada'));
  await reasons.deleteReason({ id: 'off-topic' }, by('ada'));
  expect((await list()).map(({ id }) => id)).toEqual(['advertisement']);
  const log = service.db.collection('transitions');
  await vi.waitUntil(async () => (await log.countDocuments({ subject: 'reason' })) === 4);
  const entries = await log.find({ id: 'off-topic' }).sort({ revision: 1 }).toArray();
  expect(entries.map(({ to, actor }) => [to, actor])).toEqual([
    ['put', 'ada'],
    ['put', 'bob'],
    ['deleted', 'ada'],
  ]);
  await reasons.putReason({ reason: reason('off-topic') }, by('ada'));
  expect(await list()).toHaveLength(2);
});

it('stores one of parallel puts of the same new reason after the other', async () => {
  const put = (at: number) => service.at(at).reasons.putReason({ reason: reason('racing', at) }, by(`admin${at}`));
  await Promise.all(Array.from({ length: 8 }, (_, at) => put(at)));
  const stored = await service.db.collection('canned_reasons').findOne({ _id: 'racing' as never });
  expect(stored?.history.map(({ revision }: { revision: number }) => revision)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

it('refuses what is no reason', async () => {
  const { reasons } = service.replicas[0];
  for (const change of [
    ...[{ id: 'Off Topic' }, { id: 'x'.repeat(81) }, { words: ' ' }, { words: 'x'.repeat(2001) }, { decisions: [] }],
    ...[{ decisions: [Decision.REJECT, Decision.REJECT] }, { decisions: [Decision.UNSPECIFIED] }],
    ...[{ decisions: [Decision.APPROVE] }, { order: -1 }],
  ]) {
    const refused = reasons.putReason({ reason: { ...reason('fine'), ...change } }, by('ada'));
    await expect(refused, JSON.stringify(change)).rejects.toMatchObject({ code: 'validation_error' });
  }
  await expect(reasons.deleteReason({ id: 'never-was' }, by('ada'))).rejects.toMatchObject({ code: 'not_found' });
});
