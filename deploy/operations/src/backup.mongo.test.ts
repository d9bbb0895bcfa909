import { openTestDatabase, ownFolder } from '@knowledge/runtime/testing';
import { MongoClient } from 'mongodb';
import { afterAll, expect, it } from 'vitest';
import { backUp, restore } from './backup.js';

const { db, close } = openTestDatabase('backup');
const client = new MongoClient(process.env.MONGODB_TEST_URI ?? '');
const folder = ownFolder();
afterAll(async () => {
  await client.close();
  await close();
});

it('leaves out and names what a snapshot cannot read: the rest of a profiler, and capped collections', async () => {
  const things = db.collection('things');
  await things.insertMany([{ a: 1 }, { a: 2 }]);
  await db.createCollection('recent', { capped: true, size: 4096 });
  await db.setProfilingLevel('all');
  await things.findOne({ a: 1 });
  await db.setProfilingLevel('off');
  const name = db.databaseName;
  const { databases, leftOut } = await backUp(client, [name], folder);
  expect(databases[name]).toMatchObject({ things: { documents: 2 } });
  expect(Object.keys(databases[name] ?? {})).toEqual(['things']);
  expect(leftOut?.toSorted()).toEqual([`${name}.recent`, `${name}.system.profile`]);

  for (const collection of ['things', 'recent']) await db.dropCollection(collection);
  await restore(client, folder, { drop: false });
  expect(await things.countDocuments()).toBe(2);
  await restore(client, folder, { drop: true });
  expect(await things.countDocuments()).toBe(2);
});
