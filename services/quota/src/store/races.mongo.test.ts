import { type Db, type Document, MongoServerError, type RunCommandOptions } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { ConsumeItem } from '../domain/consume-item.js';
import { type ItemResult, RefusalCache } from '../domain/decision.js';
import {
  consumeOne,
  granted as grantedUntil,
  itemOf,
  midnight,
  openTestQuotas,
  range,
  readItem,
  readOf,
  type TestQuota,
} from '../testing/quotas.js';
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
const limits = { anonymousPerAddress: 5 };
const early = quotas.open({ now: () => today, limits });
const late = quotas.open({ now: () => tomorrow, limits });
const granted = (remaining: number, day = today) => grantedUntil(remaining, day + 43_200_000);

describe('between the update of a batch and its read', () => {
  const group = (name: string): ConsumeItem[] => [0, 1].map((at) => readItem(early, `${name}-${at}`));
  const all = (name: string, process: TestQuota, times: number) =>
    Promise.all(range(2 * times).map((at) => consumeOne(process, readItem(early, `${name}-${at % 2}`))));

  it.each([
    { happens: 'midnight passes and the new day is used up', times: 3, outcome: refused(tomorrow) },
    { happens: 'midnight passes and the new day has units left', times: 1, outcome: granted(1, tomorrow) },
  ])('$happens: decided by the new day', async ({ times, outcome }) => {
    const name = `roll-${times}`;
    await all(name, early, 1);
    const db = before('find', () => all(name, late, times));
    expect(await single(group(name), db)).toMatchObject([outcome, outcome]);
  });

  it('support resets the subject: granted and counted once', async () => {
    await all('reset', early, 1);
    const items = group('reset');
    const keys = items.map(({ charges }) => charges[0].key);
    const db = before('find', () => late.store.reset(keys, AbortSignal.timeout(5000)));
    expect(await single(items, db)).toMatchObject([granted(2), granted(2)]);
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
    const db = before('find', () => quotas.db.collection(countersName).deleteMany({}));
    expect(await single(group('delete'), db)).toMatchObject([granted(2), granted(2)]);
    const { key } = readOf(early, 'delete-0');
    expect(await early.store.read([key], AbortSignal.timeout(5000))).toMatchObject({ size: 1 });
  });
});

it('a subject that is created between the guess and the insert is no longer new', async () => {
  const items = range(8).map((at) => readItem(early, `begins-${at}`));
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
    expect(await single([readItem(early, 'alone')], db)).toMatchObject([granted(2)]);
  });

  it('is tried again for the items of a batch', async () => {
    const items = [0, 1].map((at) => readItem(early, `together-${at}`));
    const writeErrors = [0, 1].map((index) => ({ index, code: 11000, errmsg: 'E11000 duplicate key error' }));
    const db = before('update', () => ({ ok: 1, n: 0, writeErrors }));
    expect(await single(items, db)).toMatchObject([granted(2), granted(2)]);
  });
});

it('a collision that the server reports in a transaction restarts the transaction', async () => {
  const db = before('insert', () => {
    throw new MongoServerError({ message: 'E11000 duplicate key error', code: 11000 });
  });
  expect(await joint([readItem(early, 'joint-collision', '192.0.2.2')], db)).toMatchObject([granted(2)]);
});

it.each([
  ['insert', 1],
  ['update', 0],
])('another process changes the counters before the %s: the transaction starts again', async (command, left) => {
  const take = () => readItem(early, `joint-${command}`, '192.0.2.1');
  if (command === 'update') await consumeOne(early, take());
  const db = before(command, () => consumeOne(early, take()));
  expect(await joint([take()], db)).toMatchObject([granted(left)]);
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
  const using = { client: quotas.db.client, memory: new RefusalCache(), now: () => today };
  return createTransactionCommit({ ...using, db })(items, AbortSignal.timeout(10_000));
}

function refused(day: number): object {
  return { granted: false, allowance: { remaining: 0, resetAt: day + 43_200_000 } };
}
