import { randomUUID } from 'node:crypto';
import type { WatchEndedAuthorizationsResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import { createLogger } from '@knowledge/runtime';
import type { HandlerContext } from '@knowledge/runtime/grpc';
import { openTestDatabase } from '@knowledge/runtime/testing';
import { startLogTail } from '@knowledge/runtime/watch';
import { afterAll, expect, it } from 'vitest';
import { createTransitionLog, type LogEntry } from '../store/open-stores.js';
import { watchEndedAuthorizations } from './identity.js';

const mongo = openTestDatabase('watch_ended');
afterAll(() => mongo.close());

const transitions = mongo.db.collection<{ _id: number }>('transitions');

/** Adds an ended authorization to the transition log. */
async function end(rootAuthorizationId: string): Promise<void> {
  const entry: Omit<LogEntry, 'position'> = {
    ...{ subject: 'authorization', id: rootAuthorizationId, rootAuthorizationId, from: 'issued', to: 'revoked' },
    ...{ actor: 'human', at: new Date(), reason: '', revision: 4 },
  };
  await transitions.insertOne({ _id: (await transitions.countDocuments()) + 1, ...entry });
}

/** Reads `count` entries after a cursor. It uses its own log tail, like another replica. */
async function follow(afterCursor: string, count: number): Promise<WatchEndedAuthorizationsResponse[]> {
  const tail = startLogTail(createTransitionLog(mongo.db), createLogger({ name: 'test', level: 'silent' }));
  const seen: WatchEndedAuthorizationsResponse[] = [];
  const stop = new AbortController();
  const context = { signal: stop.signal, now: new Date(), announce: () => undefined } as unknown as HandlerContext;
  const emit = async (event: WatchEndedAuthorizationsResponse): Promise<void> => {
    if (seen.push(event) === count) stop.abort(new Error('enough'));
  };
  try {
    await watchEndedAuthorizations(tail)({ afterCursor }, context, emit);
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  } finally {
    await tail.close();
  }
  return seen;
}

it('refuses cursors after the log was restored, even if the log has grown since', async () => {
  const [kept, lost, between, after] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await end(kept);
  const backup = await transitions.find().toArray();
  await end(lost);
  const place = (await follow('', 2)).at(-1)?.cursor ?? '';
  await end(after);
  expect(await follow(place, 1)).toMatchObject([{ authorizationId: after }]);

  await transitions.deleteMany({});
  await transitions.insertMany(backup);
  await end(between);
  await end(after);
  await expect(follow(place, 1)).rejects.toMatchObject({ code: 'validation_error' });
  expect(await follow('0', 3)).toMatchObject([kept, between, after].map((authorizationId) => ({ authorizationId })));
});
