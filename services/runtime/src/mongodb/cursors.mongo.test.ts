import type { Document } from 'mongodb';
import { afterAll, expect, it } from 'vitest';
import { workerContext } from '../deadline.js';
import { connectAgain, createMetrics, openTestDatabase, telemetryOf } from '../testing/index.js';
import { withTransaction } from './operation.js';

const own = openTestDatabase('cursors');
const metrics = createMetrics('test');
const mongo = connectAgain(own.db, { telemetry: telemetryOf(metrics) });
afterAll(async () => {
  await mongo.close();
  await own.close();
});

const things = mongo.db.collection<Document>('things');
/** What the driver itself keeps, which no public name shows. */
const kept = () => (mongo.client as unknown as { s: { activeCursors: Set<unknown> } }).s.activeCursors.size;
const counted = async () => /cursors\{process="test"\} (\d+)/.exec((await metrics.expose()).body)?.[1];

it('keeps nothing of a call that came after its deadline, and rejects with the reason', async () => {
  await things.insertOne({ a: 1 });
  const signal = AbortSignal.abort(new DOMException('The deadline passed.', 'TimeoutError'));
  const late = await Promise.allSettled([
    things.find({ a: 1 }, { signal }).sort({ a: 1 }).limit(1).toArray(),
    things.findOne({ a: 1 }, { signal }),
    things.countDocuments({ a: 1 }, { signal }),
    things.aggregate([{ $match: { a: 1 } }], { signal }).toArray(),
    things.find({}, { signal }).next(),
    (async () => {
      for await (const _ of things.find({}, { signal })) throw new Error('a document came');
    })(),
    withTransaction(mongo.client, (scope) => things.findOne({ a: 1 }, scope), workerContext(signal, new Date())),
  ]);
  for (const outcome of late) expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'TimeoutError' } });
  expect(kept()).toBe(0);
  expect(await counted()).toBe('0');
});

it('counts cursors until they have sent everything, are left or are cut off', async () => {
  await things.insertMany(Array.from({ length: 300 }, () => ({ a: 2 })));
  const end = new AbortController();
  const open = [things.find({ a: 2 }), things.find({ a: 2 }, { signal: end.signal }), things.find({ a: 2 })];
  for (const each of open) expect(await each.next()).toMatchObject({ a: 2 });
  expect([await counted(), kept()]).toEqual(['3', 3]);
  expect(await open[0]?.toArray()).toHaveLength(299);
  end.abort();
  for await (const _ of open[2] ?? []) break;
  await expect.poll(counted).toBe('0');
  expect(kept()).toBe(0);
});
