import { randomUUID } from 'node:crypto';
import { ContributionState } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import { hasCode, workerContext } from '@knowledge/runtime';
import { expect, it, vi } from 'vitest';
import { applyHeld, undoDecision } from '../domain/held-decision.js';
import { review } from '../domain/review.js';
import { createAuthorizationStore } from '../store/authorizations.js';
import type { ContributionDocument } from '../store/contribution-document.js';
import { createContributionStore } from '../store/contributions.js';
import { seedContribution } from '../testing/seed.js';
import { by, startReplicas } from '../testing/start-replicas.js';

const service = await startReplicas('held');

const call = (at: Date) => workerContext(AbortSignal.timeout(60_000), at);

it('takes effect once at its time with two replicas, and shows nobody anything before', async () => {
  const [first, second] = service.replicas;
  const seeded = await Promise.all(Array.from({ length: 12 }, () => seedContribution(service.db)));
  const { id } = seeded[0] as (typeof seeded)[number];
  const read = async () => ({ ...(await second.read(id)), revision: 0 });
  const before = await read();
  const hold = (each: string) => first.decide(each, Decision.APPROVE_AND_PUBLISH, { holdSeconds: 1 }, by('ann'));
  const [answer] = await Promise.all(seeded.map((each) => hold(each.id)));
  expect(answer?.contribution?.held).toMatchObject({ decision: Decision.APPROVE_AND_PUBLISH, actor: 'ann' });
  const now = await read();
  if (now.state === ContributionState.PENDING_REVIEW) expect(now).toEqual(before);

  const contributions = service.db.collection<ContributionDocument>('contributions');
  await vi.waitUntil(async () => (await contributions.countDocuments({ state: 'published' })) === seeded.length);
  for (const { history, ...document } of await contributions.find().toArray()) {
    expect(history.map(({ to }) => to)).toEqual(['pending_review', 'decided', 'approved', 'published']);
    expect(history.slice(1).map(({ actor }) => actor)).toEqual(['ann', 'ann', 'ann']);
    expect(document).toMatchObject({ held: null, mails: [{ purpose: 'published' }] });
  }
  const log = service.db.collection('transitions');
  await vi.waitUntil(async () => (await log.countDocuments({ to: 'published' })) === seeded.length);
  expect(await log.countDocuments({ to: 'decided', decision: 'approve_and_publish' })).toBe(seeded.length);
});

it('reopens what was rejected: after the time to undo it waits again, with its history and one mail', async () => {
  const [first, second] = service.replicas;
  const { id } = await seedContribution(service.db);
  await first.decide(id, Decision.REJECT, { reason: 'off topic' });
  const { contribution: waiting } = await first.decide(id, Decision.REOPEN, { holdSeconds: 60 });
  expect(waiting?.held?.decision).toBe(Decision.REOPEN);
  expect(await second.read(id)).toMatchObject({ state: ContributionState.REJECTED, reason: 'off topic' });
  await second.moderation.undoDecision({ id, expectedRevision: 0 }, by('ann'));
  await first.decide(id, Decision.REOPEN, { holdSeconds: 1 });
  const now = await vi.waitUntil(async () => {
    const found = await second.read(id);
    return found.state === ContributionState.PENDING_REVIEW && found;
  });
  const history = [{ by: 'agent' }, { by: 'moderator' }, { by: 'moderator', reason: '' }];
  expect(now).toMatchObject({ reason: '', history });
  expect((await first.record(id)).mails.map(({ purpose }) => purpose)).toEqual(['rejected', 'reopened']);
  await first.decide(id, Decision.APPROVE);
});

it('lets exactly one of an undo and two workers win', async () => {
  const store = () => createContributionStore(service.db, createAuthorizationStore(service.db), () => undefined);
  const stores = [store(), store(), store()] as const;
  const at = new Date();
  const due = new Date(at.getTime() + 1000);
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const { id } = await seedContribution(service.db);
      const act = { actor: 'ann', at, reason: 'off topic', requestId: randomUUID() };
      const decision = review({ command: { kind: 'reject' }, act, holdSeconds: 1 });
      await stores[0].change(id, decision, call(at));
      const undo = undoDecision({ actor: 'bob', at, reason: '', requestId: randomUUID() }, 0);
      const [undone] = await Promise.all([
        stores[0].change(id, undo, call(at)).then(
          () => true,
          (error: unknown) => {
            if (!hasCode(error, 'invalid_state')) throw error;
            return false;
          },
        ),
        ...stores.slice(1).map((each) => each.change(id, (now) => applyHeld(now, due), call(due))),
      ]);
      const { contribution, mails } = await stores[0].getRecord(id, 'ann', call(due));
      expect(contribution.state).toBe(undone ? 'pending_review' : 'rejected');
      expect(contribution.history.map(({ to }) => to).slice(2)).toEqual([undone ? 'undone' : 'rejected']);
      expect(mails).toHaveLength(undone ? 0 : 1);
      return undone;
    }),
  );
  expect(outcomes).toHaveLength(20);
});
