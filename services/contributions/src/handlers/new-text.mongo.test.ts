import { randomUUID } from 'node:crypto';
import { ContributionState } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import { ContributionFilter } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { readPieces } from '@knowledge/runtime/client';
import { afterAll, expect, it, vi } from 'vitest';
import { seedContribution } from '../testing/seed.js';
import { by, serveErasures, startReplicas } from '../testing/start-replicas.js';

let skipMs = 0;

const erasures = await serveErasures();
const service = await startReplicas('new_text', { env: erasures.env, clock: () => new Date(Date.now() + skipMs) });
afterAll(() => erasures.close());

const { read } = service.replicas[0];
const owner = { email: 'jo@example.org', authorizationId: 'a1' };

async function askedFor(fields: Parameters<typeof seedContribution>[1] = {}): Promise<string> {
  const { id } = await seedContribution(service.db, fields);
  await service.replicas[0].decide(id, Decision.REQUEST_CHANGES, { reason: 'Leave the client out.' });
  return id;
}

function send(id: string, body: string, turn = 0, authorizationId = 'a1', ifRevisions: number[] = []) {
  const contributor = { email: 'Jo@example.org', tokenId: 't2', scopes: ['write:story'], agentName: 'Atlas' };
  return service.at(turn).contributions.reviseContribution(
    {
      ...{ contributor: { ...contributor, authorizationId }, id, title: 'What we learned', body, name: 'Jo' },
      payloadHash: Buffer.from(body.padEnd(32)),
      ifRevisions,
    },
    by(''),
  );
}

it('is what the agent sends after a moderator asked, and both texts are kept', async () => {
  const id = await askedFor();
  const asked = await read(id);
  expect(asked).toMatchObject({ state: ContributionState.CHANGES_REQUESTED, reason: 'Leave the client out.' });
  expect((asked.changesDueAt?.getTime() ?? 0) - (asked.updatedAt?.getTime() ?? 0)).toBe(30 * 86_400_000);
  expect(asked.history.at(-1)).toMatchObject({ by: 'moderator', reason: 'Leave the client out.' });
  expect((await send(id, 'A text without the client.')).replayed).toBe(false);
  const change = { revision: 3, by: 'agent', fields: ['body'], forgotten: false };
  const before = { title: 'What we learned', body: 'It went well, and this is why.', name: 'Jo', language: '' };
  const changed = await read(id);
  const state = ContributionState.PENDING_REVIEW;
  expect(changed).toMatchObject({ state, body: 'A text without the client.', reason: '' });
  expect(changed.textChanges).toEqual([expect.objectContaining({ ...change, before })]);
  expect(changed.changesDueAt).toBeUndefined();
  const all = { state: ContributionState.UNSPECIFIED, pageSize: 1, pageToken: '' };
  const listed = await service.replicas[0].contributions.listContributions({ ...owner, ...all }, by());
  expect(listed.contributions[0]?.textChanges).toEqual([expect.objectContaining({ ...change, before: undefined })]);
  const records = { pageSize: 1, pageToken: '', idPrefix: id };
  const { contributions } = await service.replicas[0].moderation.listContributionRecords(records, by());
  expect(contributions[0]?.contribution?.textChanges[0]).toMatchObject({ ...change, before: undefined });
});

it('is taken once of equal parallel calls, and one of different ones', async () => {
  const id = await askedFor();
  const equal = await Promise.all(Array.from({ length: 6 }, (_, at) => send(id, 'The same new text.', at)));
  expect(equal.filter(({ replayed }) => !replayed)).toHaveLength(1);
  const other = await askedFor();
  const texts = Array.from({ length: 6 }, (_, at) => send(other, `The new text ${at}.`, at));
  const different = await Promise.allSettled(texts);
  expect(different.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect((await read(other)).textChanges).toHaveLength(1);
});

it('is refused after the authorization ended, which withdraws what waits for it', async () => {
  const id = await askedFor({ authorizationId: 'ending' });
  const [{ contributions }] = service.replicas;
  const ended = { email: owner.email, authorizationIds: ['ending'] };
  expect(await contributions.withdrawWaiting(ended, by())).toEqual({ withdrawn: 1 });
  await expect(send(id, 'A text that is too late.', 1, 'ending')).rejects.toMatchObject({ code: 'invalid_token' });
  expect((await read(id)).state).toBe(ContributionState.WITHDRAWN);
});

it('needs a revision that the agent named, if it named any; a repeat needs none', async () => {
  const id = await askedFor();
  const refusal = { code: 'precondition_failed', message: expect.stringContaining('has the ETag "2"') };
  await expect(send(id, 'A text for an older state.', 0, 'a1', [1, 0])).rejects.toMatchObject(refusal);
  const text = 'A text for the present state.';
  const { contribution } = await send(id, text, 0, 'a1', [1, 2]);
  expect(contribution).toMatchObject({ shownRevision: 3, body: text });
  expect(await send(id, text, 1, 'a1', [1, 2])).toMatchObject({ contribution: { shownRevision: 3 }, replayed: true });
});

it('is kept in the export of the person, and erased with the person', async () => {
  const email = 'person@example.org';
  const id = await askedFor({ email });
  const contributor = { email, tokenId: 't', scopes: ['write:story'], agentName: 'Atlas', authorizationId: 'a1' };
  const body = 'Another text of the person.';
  const text = { title: 'Another title', body, payloadHash: Buffer.alloc(32), ifRevisions: [] };
  const [{ contributions, moderation, decide }] = service.replicas;
  await contributions.reviseContribution({ contributor, id, ...text }, by());
  const data = await readPieces(moderation.streamContributorExport({ email }, by()));
  expect(JSON.stringify(data)).toContain('It went well, and this is why.');
  await decide(id, Decision.APPROVE_AND_PUBLISH, { expectedRevision: 3 });
  await moderation.eraseContributor(erasures.confirm(email), by());
  const left = await service.db.collection('contributions').findOne({ _id: id as never });
  expect(left).toMatchObject({ state: 'published', body, textChanges: [] });
});

it('is awaited for 30 days; then one replica withdraws the contribution', async () => {
  const id = await askedFor();
  const answered = await askedFor();
  await send(answered, 'A text that came in time.');
  skipMs = 30 * 86_400_000;
  // Any write wakes the workers of its replica.
  const ended = await vi.waitUntil(async () => {
    await askedFor();
    const contribution = await read(id);
    return contribution.state === ContributionState.WITHDRAWN && contribution;
  });
  expect(ended.history.map(({ state, by, reason }) => [state, by, reason])).toEqual([
    [ContributionState.PENDING_REVIEW, 'agent', ''],
    [ContributionState.CHANGES_REQUESTED, 'moderator', 'Leave the client out.'],
    [ContributionState.WITHDRAWN, 'system', 'no new text within 30 days'],
  ]);
  expect((await read(answered)).state).toBe(ContributionState.PENDING_REVIEW);
  await expect(send(id, 'A text that is too late.')).rejects.toMatchObject({ code: 'invalid_state' });
});

it('is decided about or edited by nobody who has seen only the text before', async () => {
  const [{ moderation, decide: publish }, other] = service.replicas;
  const none = { expectedRevision: 0, reason: 'a reason' };
  const decisions = [
    (id: string, actor: string) => publish(id, Decision.APPROVE_AND_PUBLISH, none, by(actor)),
    (id: string, actor: string) =>
      moderation.editContribution({ id, ...none, remove: ['client'], forgetBefore: false }, by(actor)),
  ];
  for (const decide of decisions) {
    const id = await askedFor();
    await other.record(id, 'ann');
    await send(id, 'Another text without the client, which Ann has not seen.');
    for (const actor of ['ann', 'bob who never looked']) {
      await expect(decide(id, actor)).rejects.toMatchObject({
        ...{ code: 'invalid_state', grpcStatus: 10 },
        message: expect.stringMatching(/^Its agent changed the text \(revision 3, .+\), and you have not opened it/),
      });
    }
    // Who reads it for something else has not seen it.
    await moderation.getContributionRecord({ id, notShown: true }, by('ann'));
    await expect(decide(id, 'ann')).rejects.toMatchObject({ code: 'invalid_state' });
    expect((await other.record(id, 'ann')).seenRevision).toBe(3);
    await decide(id, 'ann');
  }
});

it('keeps the looks of 20 staff members, and none of them once the person is erased', async () => {
  const [{ moderation, record, decide }] = service.replicas;
  const { id, email } = await seedContribution(service.db, { email: `looked-${randomUUID()}@example.org` });
  for (let at = 0; at < 22; at++) await record(id, `$mod${at}`);
  await record(id, '$mod5');
  const stored = () => service.db.collection('contributions').findOne({ _id: id as never });
  const looks: { actor: string }[] = (await stored())?.['looks'];
  expect(looks).toHaveLength(20);
  expect(looks.at(-1)).toEqual({ actor: '$mod5', revision: 1 });
  const list = { pageSize: 1, pageToken: '', filter: ContributionFilter.fromPartial({ email }) };
  const seen = async (actor: string) =>
    (await moderation.listContributionRecords(list, by(actor))).contributions.map((each) => each.seenRevision);
  expect([await seen('$mod5'), await seen('$mod0')]).toEqual([[1], [0]]);
  await decide(id, Decision.APPROVE_AND_PUBLISH, {}, by('$mod5'));
  await moderation.eraseContributor(erasures.confirm(email), by());
  expect((await stored())?.['looks']).toEqual([]);
});
