import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../log/logger.js';
import { connectAgain, openTestDatabase } from '../testing/service-process.js';
import type { DataMigration } from './data-migrations.js';
import { applySchema, startMigration } from './schema.js';

const mongo = openTestDatabase('data_migrations');
afterAll(() => mongo.close());
beforeEach(() => mongo.db.dropDatabase());
const { db } = mongo;
const log = createLogger({ name: 'test', level: 'silent' });
const things = db.collection<{ _id: number; old?: number; renamed?: number; steps?: string[] }>('things');
const records = db.collection<{ _id: string }>('migrations');
const locks = db.collection<{ _id: string; holder: string; until: Date }>('migrations');
const schema = [{ name: 'things', validator: { $jsonSchema: { required: ['renamed'] } } }];

/** A migration that counts its runs in a document. */
const noting = (name: string): DataMigration => ({
  name,
  run: async (on) => void (await on.collection<{ _id: number }>('things').updateMany({}, { $push: { steps: name } })),
});
const renaming: DataMigration = {
  name: '0001-rename',
  run: async (on) => {
    const options = { bypassDocumentValidation: true };
    await on.collection('things').updateMany({ old: { $exists: true } }, { $rename: { old: 'renamed' } }, options);
  },
};

describe('data migrations', () => {
  it('run once and are recorded; they change old documents before the current schema is applied', async () => {
    await applySchema(db, [{ name: 'things', validator: { $jsonSchema: { required: ['old'] } } }]);
    await things.insertOne({ _id: 1, old: 7 });
    await applySchema(db, schema, { migrations: [renaming] });
    expect(await things.find().toArray()).toEqual([{ _id: 1, renamed: 7 }]);
    await expect(things.insertOne({ _id: 2, old: 7 })).rejects.toMatchObject({ code: 121 });
    const [record] = await records.find().toArray();
    const times = { startedAt: expect.any(Date), finishedAt: expect.any(Date), milliseconds: expect.any(Number) };
    expect(record).toEqual({ _id: '0001-rename', ...times });
    await applySchema(db, schema, { migrations: [renaming, noting('0002-note')] });
    expect(await records.findOne({ _id: '0001-rename' })).toEqual(record);
    expect(await things.find().toArray()).toEqual([{ _id: 1, renamed: 7, steps: ['0002-note'] }]);
  });

  it('run once and in order when many replicas start at once', async () => {
    await things.insertOne({ _id: 1 });
    const replicas = Array.from({ length: 6 }, () => connectAgain(db));
    const migrations = ['0001-a', '0002-b', '0003-c'].map(noting);
    await Promise.all(replicas.map((replica) => applySchema(replica.db, [], { migrations })));
    await Promise.all(replicas.map((replica) => replica.close()));
    expect(await things.findOne()).toEqual({ _id: 1, steps: ['0001-a', '0002-b', '0003-c'] });
    expect(await locks.findOne({ _id: 'lock' })).toBeNull();
  });

  it('prevent readiness and log their name if they fail, and run again at the next start', async () => {
    await things.insertOne({ _id: 1 });
    const cause = new Error('an article has no title');
    const failing = { name: '0002-fails', run: () => Promise.reject(cause) };
    const migrations = [noting('0001-a'), failing, noting('0003-c')];
    const failed = applySchema(db, [], { migrations });
    await expect(failed).rejects.toMatchObject({ message: expect.stringContaining('0002-fails failed'), cause });
    expect(await records.find().toArray()).toMatchObject([{ _id: '0001-a' }]);

    const start = startMigration(db, [], log, migrations);
    const { signal } = new AbortController();
    await vi.waitFor(() => expect(start.check.check(signal)).rejects.toThrow('0002-fails failed'));
    await start.close();

    await applySchema(db, [], { migrations: [noting('0001-a'), noting('0002-fails'), noting('0003-c')] });
    expect(await things.findOne()).toEqual({ _id: 1, steps: ['0001-a', '0002-fails', '0003-c'] });
  });

  it('wait for the lock of another replica, and take over an expired lock', async () => {
    await locks.insertOne({ _id: 'lock', holder: 'dead', until: new Date(Date.now() + 1500) });
    const begun = Date.now();
    await applySchema(db, [], { migrations: [noting('0001-a')] });
    expect(Date.now() - begun).toBeGreaterThan(1000);
    expect(await records.countDocuments()).toBe(1);
  });

  it('start again if another replica took their lock', async () => {
    let runs = 0;
    const migration: DataMigration = {
      name: '0001-slow',
      run: async (on, held) => {
        runs += 1;
        if (runs > 1) return;
        await on.collection<{ _id: string }>('migrations').updateOne({ _id: 'lock' }, { $set: { holder: 'other' } });
        await new Promise((_, reject) => held.addEventListener('abort', () => reject(held.reason)));
      },
    };
    await applySchema(db, [], { migrations: [migration], log });
    expect(runs).toBe(2);
  }, 60_000);

  it('of a newer release stop the start of an older one, which changes nothing', async () => {
    await applySchema(db, [], { migrations: [noting('0001-a'), noting('0002-b')] });
    for (const migrations of [[noting('0001-a')], []]) {
      const failed = applySchema(db, schema, { migrations });
      await expect(failed).rejects.toThrow(/A newer release has changed this database \(data migration .*0002-b\)/);
    }
    expect(await db.listCollections({ name: 'things' }).toArray()).toEqual([]);
    const start = startMigration(db, schema, log, [noting('0001-a')]);
    const { signal } = new AbortController();
    await vi.waitFor(() => expect(start.check.check(signal)).rejects.toThrow('A newer release'));
    await start.close();
  });

  it('have numbers without gaps, so that two branches cannot use the same number', async () => {
    const twice = [noting('0001-a'), noting('0001-b')];
    await expect(applySchema(db, [], { migrations: twice })).rejects.toThrow('0001-b must begin with 0002-');
  });
});

it('a database belongs to the service that started with it first; many replicas may be the first', async () => {
  await things.insertOne({ _id: 1 });
  await Promise.all(Array.from({ length: 10 }, () => applySchema(db, [], { owner: 'content' })));
  await applySchema(db, [], { owner: 'content', migrations: [noting('0001-a')] });
  const fault = `MONGODB_DATABASE is ${db.databaseName}, the database of content; expected one of quota alone.`;
  await expect(applySchema(db, schema, { owner: 'quota', migrations: [renaming] })).rejects.toThrow(fault);
  const start = startMigration(db, schema, log, [], 'quota');
  await expect(start.refused).rejects.toThrow(fault);
  await start.close();
  await things.insertOne({ _id: 2 });
});
