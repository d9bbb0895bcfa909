import { randomUUID } from 'node:crypto';
import { ContributionState } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import { ContributionFilter } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { allPages } from '@knowledge/runtime/testing';
import { describe, expect, it } from 'vitest';
import { seedContribution } from '../testing/seed.js';
import { by, startReplicas } from '../testing/start-replicas.js';

const service = await startReplicas('moderation');
const [first, second] = service.replicas;

const { record } = first;

describe('ModerationService', () => {
  it('accepts one of two simultaneous decisions, and names the current state to the other moderator', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await seedContribution(service.db);
      const [approved, rejected] = await Promise.allSettled([
        first.decide(id, Decision.APPROVE, {}, by('ann')),
        second.decide(id, Decision.REJECT, { reason: 'off topic' }, by('bob')),
      ]);
      const { history, contribution, mails } = await record(id);
      // An approved contribution can still be rejected. So both calls may succeed, but only in this order.
      if (approved.status === 'fulfilled' && rejected.status === 'fulfilled') {
        expect(history.map(({ toState }) => toState)).toEqual(['pending_review', 'approved', 'rejected']);
      } else {
        expect(rejected.status).toBe('fulfilled');
        const message = expect.stringMatching(/is rejected now \(revision 2\)/);
        expect(approved).toMatchObject({ reason: { code: 'invalid_state', message } });
      }
      expect(contribution?.state).toBe(ContributionState.REJECTED);
      expect(mails.map(({ purpose }) => purpose)).toEqual(['rejected']);
    }
  });

  it('says who erased a contribution, to which the record still leads', async () => {
    const email = 'jo@example.org';
    const { id } = await seedContribution(service.db, { email });
    const one = { email, id, authorizationId: '', ifRevisions: [] };
    await first.contributions.withdrawContribution(one, by(''));
    await first.contributions.eraseContribution({ email, id }, by(''));
    const message = () => record(id).catch((error: Error) => error.message);
    await expect.poll(message, { timeout: 10_000 }).toMatch(/^It was erased by its human on \d+ \w+ 20/);
    await expect(record(randomUUID())).rejects.toThrow('There is no contribution with this id.');
  });

  it('lists hidden characters with their positions', async () => {
    const { id } = await seedContribution(service.db, { body: 'The limit was \u202e0001.', name: 'J\u200bo' });
    expect((await record(id)).hiddenCharacters).toEqual([
      'name: U+200B (zero-width space) at character 2',
      'body: U+202E (right-to-left override) at character 15',
    ]);
  });

  it('accepts exactly one of 20 equal parallel decisions', async () => {
    const { id } = await seedContribution(service.db);
    const racing = Array.from({ length: 20 }, (_, i) =>
      service.at(i).decide(id, Decision.APPROVE_AND_PUBLISH, {}, by(`mod${i}`)),
    );
    const ended = await Promise.allSettled(racing);
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const each of ended)
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'invalid_state' });
    const { history, contribution } = await record(id);
    expect(history.map(({ toState, revision }) => [toState, revision])).toEqual([
      ['pending_review', 1],
      ['approved', 2],
      ['published', 3],
    ]);
    expect(contribution).toMatchObject({ state: ContributionState.PUBLISHED, revision: 3 });
  });

  it('refuses a change without an actor, and an unknown id', async () => {
    const { id } = await seedContribution(service.db);
    const nobody = first.decide(id, Decision.APPROVE, {}, by(''));
    const refused = { code: 'validation_error', message: expect.stringContaining('x-actor') };
    await expect(nobody).rejects.toMatchObject(refused);
    for (const unknown of [randomUUID(), '', '{"$ne":null}'])
      await expect(first.decide(unknown, Decision.PUBLISH)).rejects.toMatchObject({ code: 'not_found' });
    expect((await record(id)).history).toHaveLength(1);
  });

  it('answers an inquiry, which its human can read', async () => {
    const { id } = await seedContribution(service.db, { type: 'inquiry' });
    await first.decide(id, Decision.ANSWER, { text: 'So it is done.' });
    const answered = { state: ContributionState.ANSWERED, answer: 'So it is done.', reviewedAt: expect.any(Date) };
    expect(await second.read(id, 'JO@example.org')).toMatchObject(answered);
  });

  it('lists the contributions of one person, and finds one by an id prefix', async () => {
    const email = `${randomUUID()}@example.org`;
    const own = await seedContribution(service.db, { email });
    const list = async ({ email = '', idPrefix = '' }) => {
      const filter = ContributionFilter.fromPartial({ email });
      const request = { filter, idPrefix, pageSize: 200, pageToken: '' };
      const { contributions } = await first.moderation.listContributionRecords(request, by());
      return contributions.map(({ contribution }) => contribution?.id);
    };
    expect(await list({ email: email.toUpperCase() })).toEqual([own.id]);
    expect(await list({ idPrefix: own.id.slice(0, 13) })).toEqual([own.id]);
    expect(await list({ idPrefix: own.id, email: 'nobody@example.org' })).toEqual([]);
    await expect(list({ idPrefix: '.*' })).rejects.toMatchObject({ code: 'validation_error' });
  });
});

describe('ContributionsService', () => {
  const email = 'own@example.org';

  it("responds to the id of another person's contribution exactly as to an unknown or malformed id", async () => {
    const { id } = await seedContribution(service.db, { email });
    const own = { email, id, authorizationId: '', ifRevisions: [] };
    const { getContribution: get, withdrawContribution: withdraw } = first.contributions;
    const agent = { authorizationId: 'a2' };
    const strangers = [{ email: 'other@example.org' }, { email: 'own+tag@example.org' }, agent];
    const asked = [
      ...[...strangers, { id: randomUUID() }, { id: 'nonsense' }].map((part) => get({ ...own, ...part }, by(''))),
      ...strangers.map((part) => withdraw({ ...own, ...part }, by(''))),
    ];
    const messages = await Promise.all(asked.map((each) => each.catch((error: unknown) => error)));
    expect(new Set(messages.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(messages[0]).toMatchObject({ code: 'not_found' });
  });

  it('withdraws once: the same again by the same person or agent changes nothing', async () => {
    const { id } = await seedContribution(service.db, { email });
    const withdraw = ({ contributions }: typeof first, authorizationId = '', ifRevisions: number[] = []) =>
      contributions.withdrawContribution({ email, id, authorizationId, ifRevisions }, by(''));
    await expect(withdraw(first, '', [7])).rejects.toMatchObject({ code: 'precondition_failed' });
    const { contribution } = await withdraw(first, '', [1]);
    expect(contribution).toMatchObject({ state: ContributionState.WITHDRAWN, revision: 2, shownRevision: 2 });
    expect(await withdraw(second, '', [1])).toEqual({ contribution });
    const refused = { code: 'invalid_state', message: expect.stringContaining('withdrawn') };
    await expect(withdraw(first, 'a1')).rejects.toMatchObject(refused);
  });

  it('lists a person’s contributions, newest first, with an exact total', async () => {
    const person = 'lister@example.org';
    for (let i = 0; i < 7; i++) {
      const submittedAt = new Date(Date.UTC(2026, 0, 1, 0, Math.floor(i / 3)));
      await seedContribution(service.db, { email: person, submittedAt });
    }
    const all = { email: person, state: ContributionState.UNSPECIFIED, pageSize: 3, authorizationId: '' };
    const list = (request: Partial<typeof all>, pageToken: string) =>
      first.contributions.listContributions({ ...all, ...request, pageToken }, { requestId: 'r' });
    const pages = await allPages((pageToken) => list({}, pageToken));
    expect(pages.map(({ total }) => total)).toEqual([7, 7, 7]);
    expect(new Set(pages.flatMap(({ contributions }) => contributions.map(({ id }) => id))).size).toBe(7);
    const closed = await list({ state: ContributionState.CLOSED, pageSize: 0 }, '');
    expect(closed).toMatchObject({ total: 0, contributions: [] });
  });
});
