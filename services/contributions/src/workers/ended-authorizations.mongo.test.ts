import { randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ContributionType } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { type Closable, closeAll, createLogger, KnowledgeError } from '@knowledge/runtime';
import { afterEach, expect, it, vi } from 'vitest';
import type { EndedAuthorization } from '../clients/identity.js';
import { createAuthorizationStore } from '../store/authorizations.js';
import { createAuthorizationEnding, createContributionStore } from '../store/contributions.js';
import { seedContribution } from '../testing/seed.js';
import { startReplicas } from '../testing/start-replicas.js';
import { startEndedAuthorizations } from './ended-authorizations.js';

const followers: Closable[] = [];
const signal = AbortSignal.timeout(60_000);

// Without an identity service the replicas' own followers do nothing, so only the tests end authorizations.
const service = await startReplicas('ended', { env: { IDENTITY_ADDRESS: '127.0.0.1:1' } });
const store = createAuthorizationStore(service.db);
afterEach(() => closeAll(followers.splice(0)));

/** Serves ended authorizations as the identity service does; it also refuses an unknown cursor. */
function logOf(ended: EndedAuthorization[]) {
  const asked: string[] = [];
  return {
    asked,
    async *endedAuthorizations(after: string, stop: AbortSignal): AsyncGenerator<EndedAuthorization> {
      asked.push(after);
      let position = after === '0' ? 0 : ended.findIndex(({ cursor }) => cursor === after) + 1;
      if (position === 0 && after !== '0') throw new KnowledgeError('validation_error', 'after_cursor is unknown.');
      while (!stop.aborted) {
        const event = ended[position];
        if (event === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
        else {
          position++;
          yield event;
        }
      }
    },
  };
}

function endOf(cursor: number | string, authorizationId: string, by = 'human'): EndedAuthorization {
  return { cursor: `${cursor}`, authorizationId, end: { at: new Date(), by }, withdrawWaiting: true };
}

function follow(identity: ReturnType<typeof logOf>): Closable {
  const contributions = createContributionStore(service.db, store, () => undefined);
  const ending = createAuthorizationEnding(store, contributions);
  const log = createLogger({ name: 'test', level: 'silent' });
  const follower = startEndedAuthorizations(identity, store, ending, () => new Date(), log);
  followers.push(follower);
  return follower;
}

const isWithdrawn = (id: string) => async () => {
  const found = await service.db.collection('contributions').findOne({ _id: id as never });
  return found?.state === 'withdrawn' && found;
};
const standsAt = (cursor: string) => async () => (await store.cursor(signal)) === cursor;

it('ends an authorization once with any number of replicas, and resumes after it after a restart', async () => {
  const first = await seedContribution(service.db, { authorizationId: 'one' });
  const second = await seedContribution(service.db, { authorizationId: 'two' });
  const ended = [endOf(1, 'one')];
  const running = [follow(logOf(ended)), follow(logOf(ended))];
  const withdrawn = await vi.waitUntil(isWithdrawn(first.id));
  await vi.waitUntil(standsAt('1'));
  expect(withdrawn.revision).toBe(2);
  await closeAll(running);

  ended.push(endOf(2, 'two'));
  const resumed = logOf(ended);
  follow(resumed);
  expect((await vi.waitUntil(isWithdrawn(second.id))).revision).toBe(2);
  expect(resumed.asked).toEqual(['1']);
});

it('refuses all contributions that arrive after the end, also if the clock ended it before', async () => {
  await store.moveCursor('0', signal);
  follow(logOf([endOf(1, 'four', 'system'), endOf(2, 'four')]));
  await vi.waitUntil(standsAt('2'));
  const scopes = ['write:story'];
  const late = service.replicas[0].contributions.submitContribution(
    {
      contributor: { email: 'jo@example.org', tokenId: 't4', scopes, agentName: 'Atlas', authorizationId: 'four' },
      ...{ id: randomUUID(), type: ContributionType.STORY, site: Site.ORG, payloadHash: Buffer.alloc(32, 1) },
      ...{ title: 'What we learned', body: 'It went well, and this is why.' },
    },
    { requestId: randomUUID() },
  );
  await expect(late).rejects.toMatchObject({ code: 'invalid_token' });
});

it('starts again if its position has another entry, as in a log that was restored and has grown', async () => {
  const between = await seedContribution(service.db, { authorizationId: 'between' });
  const after = await seedContribution(service.db, { authorizationId: 'after' });
  await store.moveCursor('2-10000000', signal);
  const identity = logOf([endOf('1-20000000', 'between'), endOf('2-20000000', 'x'), endOf('3-20000000', 'after')]);
  follow(identity);
  for (const { id } of [between, after]) await vi.waitUntil(isWithdrawn(id));
  await vi.waitUntil(standsAt('3-20000000'));
  expect(identity.asked.slice(0, 2)).toEqual(['2-10000000', '0']);
});

it('starts again if the log is shorter than its position, as after a restore', async () => {
  const waiting = await seedContribution(service.db, { authorizationId: 'three' });
  await store.moveCursor('900', signal);
  const identity = logOf([endOf(1, 'three')]);
  follow(identity);
  await vi.waitUntil(isWithdrawn(waiting.id));
  await vi.waitUntil(standsAt('1'));
  expect(identity.asked.slice(0, 2)).toEqual(['900', '0']);
});
