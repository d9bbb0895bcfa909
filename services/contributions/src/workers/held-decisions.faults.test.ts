import { Decision } from '@knowledge/proto/knowledge/contributions/v1/decisions';
import { closeAll, hasCode } from '@knowledge/runtime';
import { openTestDatabase, startServiceProcess } from '@knowledge/runtime/testing';
import { expect, it, vi } from 'vitest';
import type { ContributionDocument } from '../store/contribution-document.js';
import { seedContribution } from '../testing/seed.js';
import { by, connectReplica } from '../testing/start-replicas.js';

// Runs the built service, because only a separate process can be killed.
it('every held decision takes effect once or is undone, though kill -9 meets both replicas in between', async () => {
  const mongo = openTestDatabase('held_crash');
  const contributions = mongo.db.collection<ContributionDocument>('contributions');
  const processes = await Promise.all([0, 1].map(() => startServiceProcess('contributions', mongo.db.databaseName)));
  const doors = await Promise.all(processes.map(({ address }) => connectReplica(address)));
  const [process, other] = processes as [(typeof processes)[0], (typeof processes)[0]];
  const [door, otherDoor] = doors as [(typeof doors)[0], (typeof doors)[0]];

  const undone = new Set<string>();
  const acknowledged: string[] = [];
  for (let at = 0; at < 40; at++) {
    const { id } = await seedContribution(mongo.db);
    await door.decide(id, Decision.REJECT, { reason: 'off topic', holdSeconds: 2 + (at % 3) });
    acknowledged.push(id);
    if (at % 4 === 0) {
      const undo = otherDoor.moderation.undoDecision({ id, expectedRevision: 0 }, by());
      await undo.then(
        () => undone.add(id),
        (error: unknown) => expect(hasCode(error, 'invalid_state')).toBe(true),
      );
    }
  }
  await process.kill();
  await other.kill();
  await Promise.all([process.restart(), other.restart()]);
  await other.kill();
  await vi.waitUntil(async () => (await contributions.countDocuments({ held: { $type: 'object' } })) === 0, 30_000);

  for (const { _id, state, history, mails } of await contributions.find().toArray()) {
    const expected = undone.has(_id) ? ['undone'] : ['rejected'];
    expect(history.map(({ to }) => to).slice(2)).toEqual(expected);
    expect([state, mails.length]).toEqual(undone.has(_id) ? ['pending_review', 0] : ['rejected', 1]);
  }
  const log = mongo.db.collection('transitions');
  // Every contribution was submitted, decided on, and then rejected or undone.
  await vi.waitUntil(async () => (await log.countDocuments()) === 3 * acknowledged.length, 30_000);
  await closeAll([...doors, ...processes, mongo]);
}, 120_000);
