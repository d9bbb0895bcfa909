import { createHash, randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ContributionType } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { Policy, QuotaServiceService, SubjectKind } from '@knowledge/proto/knowledge/quota/v1/quota';
import { closeAll, hasCode } from '@knowledge/runtime';
import { connectGrpc } from '@knowledge/runtime/grpc';
import { dropDatabases, openTestDatabase, startServiceProcess } from '@knowledge/runtime/testing';
import { describe, expect, it, vi } from 'vitest';
import { connectReplica, type Replica } from '../testing/start-replicas.js';

const people = 6;
const postsEach = 16;
const kills = 4;

// Runs the built service, because only a separate process can be killed.
describe('SubmitContribution under kill -9', () => {
  it('stores every acknowledged contribution once and charges it once', async () => {
    const mongo = openTestDatabase('submit_crash');
    const database = mongo.db.databaseName;
    const quota = await startServiceProcess('quota', `${database}_quota`);
    const env = { QUOTA_ADDRESS: quota.address };
    const processes = [
      await startServiceProcess('contributions', database, env),
      await startServiceProcess('contributions', database, env),
    ] as const;
    const doors = [await connectReplica(processes[0].address), await connectReplica(processes[1].address)] as const;

    let killed = 0;
    const killing = (async () => {
      while (killed < kills) {
        const victim = processes[killed % 2 === 0 ? 0 : 1];
        const ended = victim.kill();
        killed++;
        await ended;
        await victim.restart();
      }
    })();
    const acknowledged = new Map<string, Set<string>>();
    const persons = Array.from({ length: people }, async (_, person) => {
      const email = `person${person}@example.org`;
      const ids = new Set<string>();
      acknowledged.set(email, ids);
      for (let post = 0; post < postsEach; post++) {
        // The submissions wait for the kills, so that many of them are interrupted.
        await vi.waitUntil(() => killed >= (post * kills) / postsEach, 15_000);
        ids.add(await postUntilTaken(doors, email, post, post % 2 === 0));
      }
    });
    await Promise.all(persons);
    await killing;

    const peek = connectGrpc(QuotaServiceService, { address: quota.address });
    for (const [email, ids] of acknowledged) {
      const stored = await mongo.db.collection('contributions').find({ email }).toArray();
      expect(new Set(stored.map(({ _id }) => String(_id)))).toEqual(ids);
      expect(ids.size).toBe(postsEach);
      const charge = { policy: Policy.CONTRIBUTE_MAILBOX, subject: { kind: SubjectKind.EMAIL, value: email } };
      const { allowances } = await peek.peek({ charges: [charge] }, { requestId: 'r' });
      expect(allowances[0]).toMatchObject({ limit: 20, remaining: 20 - postsEach });
    }
    await closeAll([mongo, { close: () => dropDatabases([`${database}_quota`]) }, quota, ...processes, ...doors, peek]);
  }, 120_000);
});

/** Submits to both replicas in turn until one accepts, with or without a key. */
async function postUntilTaken(
  doors: readonly [Replica, Replica],
  email: string,
  post: number,
  keyed: boolean,
): Promise<string> {
  const scopes = ['write:inquiry'];
  const body = `What we learned, part ${post} of ${email.split('@')[0]}.`;
  for (let attempt = post; ; attempt++) {
    const request = {
      contributor: { email, tokenId: 't', scopes, agentName: 'Atlas', authorizationId: `of ${email}` },
      ...{ id: randomUUID(), type: ContributionType.INQUIRY, site: Site.ORG, body },
      idempotencyKey: keyed ? `key-${post}` : undefined,
      payloadHash: createHash('sha256').update(body).digest(),
    };
    try {
      const deadline = Date.now() + 1500;
      const door = doors[attempt % 2 === 0 ? 0 : 1].contributions;
      const { contribution } = await door.submitContribution(request, { requestId: randomUUID(), deadline });
      return contribution?.id ?? '';
    } catch (error) {
      if (!hasCode(error, 'unavailable')) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
