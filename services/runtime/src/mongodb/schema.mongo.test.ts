import { afterAll, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../log/logger.js';
import { connectAgain, openTestDatabase } from '../testing/service-process.js';
import { applySchema, type CollectionDeclaration, startMigration } from './schema.js';

const mongo = openTestDatabase('schema');
afterAll(() => mongo.close());
const { db } = mongo;
const log = createLogger({ name: 'test', level: 'silent' });

const articles = (name: string): CollectionDeclaration => ({
  name,
  validator: {
    $jsonSchema: {
      bsonType: 'object',
      required: ['slug', 'revision'],
      properties: {
        slug: { bsonType: 'string', maxLength: 120 },
        revision: { bsonType: ['int', 'long', 'double'], minimum: 1 },
      },
    },
  },
  indexes: [
    { name: 'by_slug', key: { site: 1, slug: 1 }, unique: true },
    { name: 'newest', key: { site: 1, published_at: -1, slug: 1 }, partialFilterExpression: { state: 'published' } },
    { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: 60 },
    { name: 'sparse', key: { optional: 1 }, sparse: true },
  ],
});

/** Returns the names of the changing commands that `run` sends. */
async function changes(run: (database: typeof db) => Promise<void>): Promise<string[]> {
  const sent: string[] = [];
  const { client, ...again } = connectAgain(db, { tuning: { monitorCommands: true } });
  client.on('commandStarted', ({ commandName }) => {
    if (['create', 'collMod', 'createIndexes', 'dropIndexes'].includes(commandName)) sent.push(commandName);
  });
  await run(again.db);
  await client.close();
  return sent;
}

async function indexOf(collection: string, name: string) {
  return (await db.collection(collection).listIndexes().toArray()).find((each) => each.name === name);
}

describe('applySchema', () => {
  it('creates collections, validators and indexes, and changes nothing at the second run', async () => {
    const declared = [articles('first'), { name: 'plain' }];
    expect(await changes((database) => applySchema(database, declared))).toEqual(['create', 'createIndexes', 'create']);
    expect(await changes((database) => applySchema(database, declared))).toEqual([]);
    await db.collection('first').insertOne({ slug: 'a', revision: 1, language: 'pl' });
    await expect(db.collection('first').insertOne({ slug: 7, revision: 1 })).rejects.toMatchObject({ code: 121 });
    await expect(db.collection('first').insertOne({ slug: 'a', revision: 1 })).rejects.toMatchObject({ code: 11000 });
  });

  it('can run in many replicas at once', async () => {
    const replicas = Array.from({ length: 6 }, () => connectAgain(db));
    await Promise.all(replicas.map((each) => applySchema(each.db, [articles('raced'), articles('raced2')])));
    const changed = [{ ...articles('raced'), indexes: [{ name: 'by_slug', key: { slug: 1 }, unique: true } as const] }];
    await Promise.all(replicas.map((each) => applySchema(each.db, changed)));
    expect(await indexOf('raced', 'by_slug')).toMatchObject({ key: { slug: 1 }, unique: true });
    await Promise.all(replicas.map((each) => each.close()));
  });

  it('modifies a time to live in place, and recreates an index with another change', async () => {
    const collection = 'evolving';
    const apply = (index: object) => {
      const indexes = [{ name: 'x', key: { a: 1 }, ...index } as const];
      return changes((database) => applySchema(database, [{ name: collection, indexes }]));
    };
    expect(await apply({ expireAfterSeconds: 60 })).toEqual(['create', 'createIndexes']);
    expect(await apply({ expireAfterSeconds: 90 })).toEqual(['collMod']);
    expect(await indexOf(collection, 'x')).toMatchObject({ expireAfterSeconds: 90 });
    for (const definition of [
      ...[{}, { unique: true }, { sparse: true }, { key: { a: -1 } }, { key: { a: -1, b: 1 } }],
      ...[{ key: { b: 1, a: -1 } }, { partialFilterExpression: { a: { $gt: 1 } } }],
      { partialFilterExpression: { a: { $gt: 2 } } },
    ]) {
      expect(await apply(definition)).toEqual(['dropIndexes', 'createIndexes']);
      expect(await apply(definition)).toEqual([]);
    }
  });

  it('changes and removes validators', async () => {
    const apply = (validator?: object) =>
      changes((database) => applySchema(database, [{ name: 'validated', ...(validator && { validator }) }]));
    await apply({ $jsonSchema: { required: ['a'] } });
    expect(await apply({ $jsonSchema: { required: ['b'] } })).toEqual(['collMod']);
    await expect(db.collection('validated').insertOne({ a: 1 })).rejects.toMatchObject({ code: 121 });
    expect(await apply()).toEqual(['collMod']);
    await db.collection('validated').insertOne({ a: 1 });
    expect(await apply()).toEqual([]);
  });

  it('keeps collections and indexes that are not declared', async () => {
    await db.collection('foreign').createIndex({ by_operator: 1 }, { name: 'by_operator' });
    await applySchema(db, [{ name: 'foreign', indexes: [{ name: 'ours', key: { a: 1 } }] }]);
    expect(await indexOf('foreign', 'by_operator')).toMatchObject({ key: { by_operator: 1 } });
  });

  it('throws an error that a retry cannot repair', async () => {
    await db.collection('doubled').insertMany([{ a: 1 }, { a: 1 }]);
    const declared = [{ name: 'doubled', indexes: [{ name: 'unique', key: { a: 1 }, unique: true } as const] }];
    await expect(applySchema(db, declared)).rejects.toMatchObject({ code: 11000 });
  });

  it('waits for an index build that takes longer than the socket time-out', async () => {
    const words = Array.from({ length: 20 }, (_, at) => `word${at}`);
    const many = Array.from({ length: 20_000 }, (_, each) => ({ a: words.map((word) => `${word} of ${each}`) }));
    await db.collection('large').insertMany(many);
    const hasty = connectAgain(db, { tuning: { socketTimeoutMS: 100 } });
    await applySchema(hasty.db, [{ name: 'large', indexes: [{ name: 'words', key: { a: 1 } }] }], { log });
    await hasty.close();
    const { cursor } = await db.command({ listIndexes: 'large', includeBuildUUIDs: true });
    expect(cursor.firstBatch).toMatchObject([{ name: '_id_' }, { name: 'words' }]);
  });

  it('waits for an unreachable server until its signal aborts', async () => {
    const away = connectAgain(db, { uri: 'mongodb://127.0.0.1:1' });
    const begun = Date.now();
    const signal = AbortSignal.timeout(300);
    const applied = applySchema(away.db, [articles('x')], { signal, log });
    await expect(applied).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(Date.now() - begun).toBeLessThan(1500);
    await away.close();
  });
});

describe('a migration', () => {
  it('keeps a service unready until the schema is applied', async () => {
    const migration = startMigration(db, [articles('migrated')], log);
    const { signal } = new AbortController();
    await expect(migration.check.check(signal)).rejects.toThrow('not applied yet');
    await migration.done;
    await migration.check.check(signal);
    await migration.close();
    expect(await indexOf('migrated', 'newest')).toMatchObject({ key: { published_at: -1 } });
  });

  it('keeps the process running when the schema cannot be applied', async () => {
    await db.collection('broken').insertMany([{ a: 1 }, { a: 1 }]);
    const unique = { name: 'unique', key: { a: 1 }, unique: true } as const;
    const migration = startMigration(db, [{ name: 'broken', indexes: [unique] }], log);
    const { signal } = new AbortController();
    await vi.waitFor(() => expect(migration.check.check(signal)).rejects.toMatchObject({ code: 11000 }));
    await migration.close();
  });
});
