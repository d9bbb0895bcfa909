import { type Db, type Document, MongoServerError, type RunCommandOptions } from 'mongodb';
import { afterAll, describe, expect, it } from 'vitest';
import type { ConsumeItem } from '../domain/consume-item.js';
import { type ItemResult, RefusalCache } from '../domain/decision.js';
import { ceilingOf, consumeOne, itemOf, midnight, openTestQuotas, readOf, type TestQuota } from '../testing/quotas.js';
import { createTransactionCommit } from './counter-store.js';
import { NewSubjects } from './new-subjects.js';
import { createPipelineCommit } from './pipeline-commit.js';
import { countersName } from './schema.js';

/*
 * Tests of races in moments that are too short to occur by chance. Right before one command of a commit is sent, the
 * test changes the same documents.
 */
const today = midnight - 43_200_000;
const tomorrow = today + 86_400_000;
const quotas = await openTestQuotas('quota_races');
afterAll(() => quotas.close());
const limits = { anonymousPerAddress: 5 };
const early = quotas.open({ now: () => today, limits });
const late = quotas.open({ now: () => tomorrow, limits });

describe('between the update of a batch and its read', () => {
  const subjects = [0, 1];
  const group = (name: string): ConsumeItem[] => subjects.map((at) => itemOf([readOf(early, `${name}-${at}`)]));
  const all = (name: string, process: TestQuota, times: number): Promise<unknown> =>
    Promise.all(
      subjects.flatMap((at) =>
        Array.from({ length: times }, () => consumeOne(process, itemOf([readOf(early, `${name}-${at}`)]))),
      ),
    );

  it('midnight passes and the new day is used up: decided by the new day', async () => {
    await all('roll', early, 1);
    const outcomes = await single(
      group('roll'),
      before('find', () => all('roll', late, 3)),
    );
    expect(outcomes).toMatchObject([refused(tomorrow), refused(tomorrow)]);
  });

  it('midnight passes and the new day has units left: granted in the new day', async () => {
    await all('room', early, 1);
    const outcomes = await single(
      group('room'),
      before('find', () => all('room', late, 1)),
    );
    expect(outcomes).toMatchObject([granted(1, tomorrow), granted(1, tomorrow)]);
  });

  it('support resets the subject: granted and counted once', async () => {
    await all('reset', early, 1);
    const items = group('reset');
    const keys = items.map(({ charges }) => charges[0].key);
    const outcomes = await single(
      items,
      before('find', () => late.store.reset(keys, AbortSignal.timeout(5000))),
    );
    expect(outcomes).toMatchObject([granted(2), granted(2)]);
  });

  it('a slow clock creates the deleted document again and uses it up: granted in the newer day', async () => {
    await all('lag', late, 1);
    const again = async (): Promise<void> => {
      await quotas.db.collection(countersName).deleteMany({});
      await all('lag', early, 3);
    };
    const outcomes = await single(group('lag'), before('find', again), tomorrow);
    expect(outcomes).toMatchObject([granted(2, tomorrow), granted(2, tomorrow)]);
  });

  it('the document is deleted: granted and counted once', async () => {
    await all('delete', early, 1);
    const outcomes = await single(
      group('delete'),
      before('find', () => quotas.db.collection(countersName).deleteMany({})),
    );
    expect(outcomes).toMatchObject([granted(2), granted(2)]);
    expect(await early.store.read([readOf(early, 'delete-0').key], AbortSignal.timeout(5000))).toMatchObject({
      size: 1,
    });
  });
});

it('a subject that is created between the guess and the insert is no longer new', async () => {
  const items = Array.from({ length: 8 }, (_, at) => itemOf([readOf(early, `begins-${at}`)]));
  const meanwhile = (): Promise<unknown> =>
    Promise.all(items.slice(0, 4).map(({ charges }) => consumeOne(early, itemOf([...charges]))));
  const outcomes = await single(items, before('update', meanwhile));
  expect(outcomes).toMatchObject([1, 1, 1, 1, 2, 2, 2, 2].map((left) => granted(left)));
});

describe('a collision of two first uses that the server reports', () => {
  it('is tried again for a single item', async () => {
    const db = before('findAndModify', () => {
      throw new MongoServerError({ message: 'E11000 duplicate key error', code: 11000 });
    });
    expect(await single([itemOf([readOf(early, 'alone')])], db)).toMatchObject([granted(2)]);
  });

  it('is tried again for the items of a batch', async () => {
    const items = [0, 1].map((at) => itemOf([readOf(early, `together-${at}`)]));
    const writeErrors = [0, 1].map((index) => ({ index, code: 11000, errmsg: 'E11000 duplicate key error' }));
    const outcomes = await single(
      items,
      before('update', () => ({ ok: 1, n: 0, writeErrors })),
    );
    expect(outcomes).toMatchObject([granted(2), granted(2)]);
  });
});

it('a collision that the server reports in a transaction restarts the transaction', async () => {
  const db = before('insert', () => {
    throw new MongoServerError({ message: 'E11000 duplicate key error', code: 11000 });
  });
  const item = itemOf([readOf(early, 'joint-collision'), ceilingOf(early, '192.0.2.2')]);
  expect(await joint([item], db)).toMatchObject([granted(2)]);
});

describe('between the read of a transaction and its writes', () => {
  const take = (name: string): ConsumeItem => itemOf([readOf(early, name), ceilingOf(early, '192.0.2.1')]);

  it.each(['insert', 'update'])(
    'another process changes the counters before the %s: the transaction starts again',
    async (command) => {
      if (command === 'update') await consumeOne(early, take('joint-update'));
      const outcomes = await joint(
        [take(`joint-${command}`)],
        before(command, () => consumeOne(early, take(`joint-${command}`))),
      );
      expect(outcomes).toMatchObject([granted(command === 'update' ? 0 : 1)]);
    },
  );
});

/** A test database that runs `happens` once, right before a command is sent, or returns its result as the reply. */
function before(command: string, happens: () => unknown): Db {
  let pending = true;
  return new Proxy(quotas.db, {
    get(db, property) {
      if (property !== 'command') return Reflect.get(db, property);
      return async (document: Document, options?: RunCommandOptions) => {
        if (pending && command in document) {
          pending = false;
          const answer = await happens();
          if (typeof answer === 'object' && answer !== null && 'ok' in answer) return answer;
        }
        return db.command(document, options);
      };
    },
  });
}

function single(items: readonly ConsumeItem[], db: Db, time = today): Promise<ItemResult[]> {
  const now = (): number => time;
  const commit = createPipelineCommit({ db, memory: new RefusalCache(), newcomers: new NewSubjects(now), now });
  return commit(items, AbortSignal.timeout(10_000));
}

function joint(items: readonly ConsumeItem[], db: Db): Promise<ItemResult[]> {
  const commit = createTransactionCommit({
    client: quotas.db.client,
    db,
    memory: new RefusalCache(),
    now: () => today,
  });
  return commit(items, AbortSignal.timeout(10_000));
}

function granted(remaining: number, day = today): object {
  return { granted: true, allowance: { remaining, resetAt: day + 43_200_000 } };
}

function refused(day: number): object {
  return { granted: false, allowance: { remaining: 0, resetAt: day + 43_200_000 } };
}
