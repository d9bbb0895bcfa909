import type { Db, Document, RunCommandOptions } from 'mongodb';
import { MongoServerError } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsumeItem } from '../domain/consume-item.js';
import type { ItemResult } from '../domain/decision.js';
import { RefusalCache } from '../domain/refusal-cache.js';
import {
  ceilingOf,
  consumeOne,
  itemOf,
  midnight,
  openTestQuotas,
  readOf,
  type TestQuota,
  type TestQuotas,
} from '../testing/quotas.js';
import { countersName } from './counter-document.js';
import { NewSubjects } from './new-subjects.js';
import { createPipelineCommit } from './pipeline-commit.js';
import { createTransactionCommit } from './transaction-commit.js';

/*
 * Races whose moment is too short to be met by chance: right before one command of a commit is sent, somebody else really
 * does something to the same documents.
 */
const today = midnight - 43_200_000;
const tomorrow = today + 86_400_000;
let quotas: TestQuotas;
let early: TestQuota;
let late: TestQuota;
beforeAll(async () => {
  quotas = await openTestQuotas('quota_races');
  const limits = { anonymousPerAddress: 5 };
  early = quotas.open({ now: () => today, limits });
  late = quotas.open({ now: () => tomorrow, limits });
});
afterAll(() => quotas.close());

describe('between the update of a group and its look', () => {
  const subjects = [0, 1];
  const group = (name: string): ConsumeItem[] => subjects.map((at) => itemOf([readOf(early, `${name}-${at}`)]));
  const all = (name: string, process: TestQuota, times: number): Promise<unknown> =>
    Promise.all(
      subjects.flatMap((at) =>
        Array.from({ length: times }, () => consumeOne(process, itemOf([readOf(early, `${name}-${at}`)]))),
      ),
    );

  it('midnight came and the new day is used up: decided in the new day', async () => {
    await all('roll', early, 1);
    const outcomes = await single(
      group('roll'),
      before('find', () => all('roll', late, 3)),
    );
    expect(outcomes).toMatchObject([refused(tomorrow), refused(tomorrow)]);
  });

  it('midnight came and the new day has room: granted in the new day', async () => {
    await all('room', early, 1);
    const outcomes = await single(
      group('room'),
      before('find', () => all('room', late, 1)),
    );
    expect(outcomes).toMatchObject([granted(1, tomorrow), granted(1, tomorrow)]);
  });

  it('support reset the subject: granted, and counted once', async () => {
    await all('reset', early, 1);
    const items = group('reset');
    const keys = items.map(({ charges }) => charges[0].key);
    const outcomes = await single(
      items,
      before('find', () => late.store.reset(keys, AbortSignal.timeout(5000))),
    );
    expect(outcomes).toMatchObject([granted(2), granted(2)]);
  });

  it('the document was deleted, and begun anew and used up by a clock that lags: granted in the newer day', async () => {
    await all('lag', late, 1);
    const again = async (): Promise<void> => {
      await quotas.db.collection(countersName).deleteMany({});
      await all('lag', early, 3);
    };
    const outcomes = await single(group('lag'), before('find', again), tomorrow);
    expect(outcomes).toMatchObject([granted(2, tomorrow), granted(2, tomorrow)]);
  });

  it('the document was deleted: granted, and counted once', async () => {
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

it('a subject that begins between the guess and the insert is no newcomer', async () => {
  const items = Array.from({ length: 8 }, (_, at) => itemOf([readOf(early, `begins-${at}`)]));
  const meanwhile = (): Promise<unknown> =>
    Promise.all(items.slice(0, 4).map(({ charges }) => consumeOne(early, itemOf([...charges]))));
  const outcomes = await single(items, before('insert', meanwhile));
  expect(outcomes).toMatchObject([1, 1, 1, 1, 2, 2, 2, 2].map((left) => granted(left)));
});

describe('a collision of two first uses that the server hands on', () => {
  it('is tried again by an item that is alone', async () => {
    const db = before('findAndModify', () => {
      throw new MongoServerError({ message: 'E11000 duplicate key error', code: 11000 });
    });
    expect(await single([itemOf([readOf(early, 'alone')])], db)).toMatchObject([granted(2)]);
  });

  it('is tried again by the items of a group that met it', async () => {
    const items = [0, 1].map((at) => itemOf([readOf(early, `together-${at}`)]));
    const writeErrors = [0, 1].map((index) => ({ index, code: 11000, errmsg: 'E11000 duplicate key error' }));
    const outcomes = await single(
      items,
      before('update', () => ({ ok: 1, n: 0, writeErrors })),
    );
    expect(outcomes).toMatchObject([granted(2), granted(2)]);
  });
});

it('a collision that the server hands on in a transaction makes it start again', async () => {
  const db = before('insert', () => {
    throw new MongoServerError({ message: 'E11000 duplicate key error', code: 11000 });
  });
  const item = itemOf([readOf(early, 'joint-collision'), ceilingOf(early, '192.0.2.2')]);
  expect(await joint([item], db)).toMatchObject([granted(2)]);
});

describe('between the look of a transaction and its writes', () => {
  const take = (name: string): ConsumeItem => itemOf([readOf(early, name), ceilingOf(early, '192.0.2.1')]);

  it.each(['insert', 'update'])(
    'somebody else changed the same counters before the %s: it starts again',
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

/** The database of the test, with something that happens once, right before a command is sent, or that answers it. */
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
