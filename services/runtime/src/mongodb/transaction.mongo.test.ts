import { MongoClient } from 'mongodb';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { deadlineIn, deadlineSignal } from '../deadline.js';
import { isOutage } from '../errors/knowledge-error.js';
import { openTestDatabase } from '../testing/service-process.js';
import { type TransactionScope, withTransaction } from './operation.js';

const mongo = openTestDatabase('transaction');
afterAll(() => mongo.close());
const { client, db } = mongo;
const accounts = db.collection<{ _id: string; value: number }>('accounts');
const transact = <Result>(work: (scope: TransactionScope) => Promise<Result>, ms: number) =>
  withTransaction(client, work, { signal: deadlineSignal(deadlineIn(ms)).signal });

beforeEach(async () => {
  await accounts.deleteMany({});
  await accounts.insertMany([
    { _id: 'a', value: 0 },
    { _id: 'b', value: 0 },
  ]);
});

it('applies everything or nothing', async () => {
  const result = await transact(async (scope) => {
    await accounts.updateOne({ _id: 'a' }, { $inc: { value: -1 } }, scope);
    await accounts.updateOne({ _id: 'b' }, { $inc: { value: 1 } }, scope);
    return 'done';
  }, 5000);
  expect(result).toBe('done');
  const failing = transact(async (scope) => {
    await accounts.updateOne({ _id: 'a' }, { $inc: { value: -1 } }, scope);
    throw new Error('no');
  }, 5000);
  await expect(failing).rejects.toThrow('no');
  expect(await accounts.find().sort({ _id: 1 }).toArray()).toEqual([
    { _id: 'a', value: -1 },
    { _id: 'b', value: 1 },
  ]);
});

it('loses no update when many transactions read and write the same document', async () => {
  const add = () =>
    transact(async (scope) => {
      const account = await accounts.findOne({ _id: 'a' }, scope);
      await accounts.updateOne({ _id: 'a' }, { $set: { value: (account?.value ?? 0) + 1 } }, scope);
    }, 15_000);
  await Promise.all(Array.from({ length: 20 }, add));
  expect(await accounts.findOne({ _id: 'a' })).toMatchObject({ value: 20 });
});

it('ends when its signal aborts, without changing anything', async () => {
  const begun = Date.now();
  const hanging = transact(async (scope) => {
    await accounts.updateOne({ _id: 'a' }, { $set: { value: 99 } }, scope);
    await accounts.findOne({ $where: 'sleep(2000) || true' }, scope);
  }, 200);
  const error = await hanging.catch((failed: unknown) => failed);
  expect(isOutage(error)).toBe(true);
  expect(Date.now() - begun).toBeLessThan(1000);
  expect(await accounts.findOne({ _id: 'a' })).toMatchObject({ value: 0 });
  const late = withTransaction(client, async () => undefined, { signal: AbortSignal.abort() });
  await expect(late).rejects.toMatchObject({ name: 'AbortError' });
});

it('does not wait for as long as MongoDB keeps a transaction that a killed process left open', async () => {
  // For the server, a client that never ends its session looks like a killed process.
  const dead = new MongoClient(process.env.MONGODB_TEST_URI ?? '', { appName: 'transaction' });
  const session = dead.startSession();
  session.startTransaction();
  const theirs = dead.db(db.databaseName).collection('accounts');
  await theirs.updateOne({ value: 0 }, { $inc: { value: 1 } }, { session });
  // MongoDB keeps it for a minute.
  await transact((scope) => accounts.updateMany({}, { $set: { value: 7 } }, scope), 15_000);
  await expect(session.commitTransaction()).rejects.toMatchObject({ codeName: 'NoSuchTransaction' });
  await dead.close();
  expect(await accounts.find({ value: 7 }).toArray()).toHaveLength(2);
});
