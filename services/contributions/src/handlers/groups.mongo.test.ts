import { randomUUID } from 'node:crypto';
import { ContributionState } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import { ContributionFilter } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { afterEach, expect, it, vi } from 'vitest';
import type { ContributionDocument } from '../store/contribution-document.js';
import { createGroups } from '../store/record-queue.js';
import { seedContribution } from '../testing/seed.js';
import { by, startReplicas } from '../testing/start-replicas.js';

const service = await startReplicas('groups', { env: { IDENTITY_ADDRESS: '127.0.0.1:1' } });
afterEach(() => stored().deleteMany({}));

const stored = () => service.db.collection<ContributionDocument>('contributions');

const why = { reason: 'Advertising.', endAgents: false, holdSeconds: 60, keptAuthorizationIds: [] as string[] };

/** 12 texts of 3 humans with one link, one of them an inquiry. */
async function wave(link: string) {
  const texts = Array.from({ length: 12 }, (_, at) => {
    const email = `spammer-${at % 3}@${link}`;
    const type = at === 0 ? 'inquiry' : 'story';
    return seedContribution(
      service.db,
      { email, type, authorizationId: `agent-${at % 3} of ${link}`, body: `Text ${at}: ${randomUUID()}` },
      { waves: [`link:${link}`, `mail:${link}`] },
    );
  });
  return Promise.all(texts);
}

const seen = (texts: readonly { id: string }[]) => texts.map(({ id }) => ({ id, revision: 1 }));
const list = async (group: string) => {
  const filter = ContributionFilter.fromPartial({ group, states: [ContributionState.PENDING_REVIEW] });
  const { moderation } = service.replicas[0];
  const page = { filter, pageSize: 200, pageToken: '' };
  const { contributions } = await moderation.listContributionRecords(page, by('ann'));
  const { counts } = await moderation.countContributionRecords({ filter }, by('ann'));
  const ids = contributions.map(({ contribution }) => contribution?.id ?? '');
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(ids.length);
  return ids.sort();
};

it('shows what waiting texts have in common, each group alone, and what is in none', async () => {
  const [{ moderation }] = service.replicas;
  const texts = await wave('one.example');
  const honest = await seedContribution(service.db, { email: 'new@honest.example', authorizationId: 'honest' });
  const { groups } = await moderation.listContributionGroups({}, by('ann'));
  expect(groups).toEqual([
    { key: 'link:one.example', contributions: 12, humans: 3, latest: expect.any(Date) },
    { key: 'mail:one.example', contributions: 12, humans: 3, latest: expect.any(Date) },
  ]);
  const ids = texts.map(({ id }) => id).sort();
  for (const group of ['link:one.example', 'mail:one.example']) expect(await list(group)).toEqual(ids);
  expect(await list('none')).toEqual([honest.id]);
  const ofOne = texts.filter((_, at) => at % 3 === 1).map(({ id }) => id);
  for (const group of ['human:spammer-1@one.example', 'agent:agent-1 of one.example'])
    expect(await list(group)).toEqual(ofOne.sort());
});

it('is rejected as it was seen: what changed, was decided or withdrawn since stays, and the answer says so', async () => {
  const [first, second] = service.replicas;
  const texts = await wave('two.example');
  const [changed, decided, withdrawn] = texts.slice(1) as [(typeof texts)[0], (typeof texts)[0], (typeof texts)[0]];
  const edit = { id: changed.id, expectedRevision: 1, title: 'Another title', remove: [], forgetBefore: false };
  await second.moderation.editContribution({ ...edit, reason: 'why' }, by('bob'));
  await second.decide(decided.id, Decision.APPROVE, {}, by('bob'));
  const owner = { email: withdrawn.email, authorizationId: '', ifRevisions: [] };
  await second.contributions.withdrawContribution({ ...owner, id: withdrawn.id }, by(''));

  const contributions = [...seen(texts), { id: randomUUID(), revision: 1 }];
  const request = { ...why, contributions, endAgents: true };
  const call = by('ann');
  const done = await first.moderation.rejectGroup(request, call);
  expect(done).toMatchObject({ groupId: call.requestId, decided: 9 });
  const stay = [changed.id, decided.id, withdrawn.id, contributions.at(-1)?.id];
  expect(done.left.map(({ id }) => id).sort()).toEqual(stay.sort());
  expect(done.left.find(({ id }) => id === changed.id)?.reason).toMatch(/revision 2 now .+ you saw revision 1/);
  // Who repeats the call because the answer was lost gets the same answer.
  expect((await first.moderation.rejectGroup(request, call)).decided).toBe(9);
  // Any replica tells which group can still be undone.
  expect((await first.moderation.listContributionGroups({}, by('ann'))).groups).toEqual([]);
  const { held } = await second.moderation.listContributionGroups({}, by('bob'));
  const { groupId, takesEffectAt } = done;
  expect(held).toEqual([{ groupId, contributions: 9, actor: 'ann', takesEffectAt, reason: 'Advertising.' }]);

  // One undo gives all back, by anybody, and no agent ends.
  const undone = await second.moderation.undoDecision({ id: '', expectedRevision: 0, groupId }, by('bob'));
  expect(undone).toMatchObject({ undone: 9, contribution: undefined });
  expect((await first.moderation.listContributionGroups({}, by('ann'))).held).toEqual([]);
  expect(await stored().countDocuments({ held: { $ne: null } })).toBe(0);
  expect(await stored().countDocuments({ agentEnd: { $ne: null } })).toBe(0);
  const late = second.moderation.undoDecision({ id: '', expectedRevision: 0, groupId }, by('bob'));
  await expect(late).rejects.toMatchObject({ code: 'invalid_state' });
  const log = service.db.collection('transitions');
  const reason = '9 contributions, and the access of their agents (3) ends';
  expect(await log.find({ to: /together/ }, { sort: { _id: 1 } }).toArray()).toMatchObject([
    ...Array(2).fill({ to: 'rejected together', actor: 'ann', reason }),
    { to: 'undone together', actor: 'bob', reason: '9 contributions wait again' },
  ]);
});

it('takes effect once at its time, stories as rejected and inquiries as closed, and then its agents are to end', async () => {
  const [first] = service.replicas;
  const texts = await wave('three.example');
  const kept = (await stored().findOne({}, { sort: { _id: 1 } }))?.authorizationId ?? '';
  const request = { ...why, contributions: seen(texts), endAgents: true, holdSeconds: 1, keptAuthorizationIds: [kept] };
  await first.moderation.rejectGroup(request, by('ann'));
  const ended = () => stored().countDocuments({ state: { $in: ['rejected', 'closed'] } });
  await vi.waitUntil(async () => (await ended()) === 12, 20_000);
  const documents = await stored().find().toArray();
  expect(documents.filter(({ state }) => state === 'closed').map(({ type }) => type)).toEqual(['inquiry']);
  for (const { history, agentEnd, mails, authorizationId } of documents) {
    expect(history.map(({ to }) => to).slice(1, 2)).toEqual(['decided']);
    expect(history).toHaveLength(3);
    if (authorizationId === kept) expect(agentEnd).toBeFalsy();
    else expect(agentEnd).toMatchObject({ actor: 'ann', reason: 'Advertising.', dueAt: expect.any(Date) });
    expect(mails).toHaveLength(1);
  }
  // All rejections of a human wait for one mail.
  const people = service.db.collection<{ _id: string; joined: { id: string; until: Date } }>('people');
  for (const { _id, joined } of await people.find().toArray()) {
    const ofHuman = documents.filter(({ email }) => email === _id).flatMap(({ mails }) => mails);
    const due = ofHuman.map(({ dueAt }) => dueAt.getTime() - joined.until.getTime()).sort();
    expect(due).toEqual([0, ...ofHuman.slice(1).map(() => 60_000)]);
  }
});

it('is decided once by two moderators at the same moment', async () => {
  const contributions = seen(await wave('four.example'));
  const request = { contributions, ...why };
  const both = service.replicas.map(({ moderation }, at) => moderation.rejectGroup(request, by(['ann', 'bob'][at])));
  const [ann, bob] = await Promise.all(both);
  expect((ann?.decided ?? 0) + (bob?.decided ?? 0)).toBe(12);
  expect((ann?.left.length ?? 0) + (bob?.left.length ?? 0)).toBe(12);
  expect(await stored().countDocuments({ revision: 2, 'held.command.kind': { $in: ['reject', 'close'] } })).toBe(12);
});

it('needs a reason, and the revision of each', async () => {
  const [{ moderation }] = service.replicas;
  const reject = (contributions: { id: string; revision: number }[], reason = 'why') =>
    moderation.rejectGroup({ ...why, contributions, reason }, by('ann'));
  const one = { id: randomUUID(), revision: 1 };
  const many = Array.from({ length: 1001 }, () => one);
  for (const args of [[[]], [[{ ...one, revision: 0 }]], [[one], ''], [many]] as Parameters<typeof reject>[])
    await expect(reject(...args)).rejects.toMatchObject({ code: 'validation_error' });
});

it('of more than a hundred says how many more there are, and texts of the last one are not in none', async () => {
  const [{ moderation }, { moderation: other }] = service.replicas;
  const { id } = await seedContribution(service.db, { email: 'a@many.example' });
  const { _id, ...text } = (await stored().findOne({ _id: id })) ?? ({} as ContributionDocument);
  const many = Array.from({ length: 105 * 5 }, (_, at) => ({
    ...text,
    ...{ _id: randomUUID(), email: `${at}@many.example`, authorizationId: `agent ${at}` },
    waves: [`link:site-${Math.floor(at / 5)}.example`],
  }));
  await stored().insertMany(many);
  for (const each of [moderation, other]) {
    const read = async () => {
      const { groups, more } = await each.listContributionGroups({}, by('ann'));
      expect([groups.length, more]).toEqual([100, 5]);
    };
    await vi.waitFor(read, { timeout: 10_000 });
  }
  expect(await list('none')).toEqual([id]);
});

it('is counted again if it was decided while it was counted', async () => {
  const groups = createGroups(service.db);
  const { signal } = new AbortController();
  await wave('counted.example');
  const counted = groups.read(signal);
  groups.forget();
  expect(await counted).toHaveLength(2);
  await stored().deleteMany();
  expect(await groups.read(signal)).toEqual([]);
});
