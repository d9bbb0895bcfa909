import { execFile } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openTestDatabase, ownFolder } from '@knowledge/runtime/testing';
import { MongoClient } from 'mongodb';
import { afterAll, expect, it, vi } from 'vitest';
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
  const service = await new MongoClient(process.env.MONGODB_TEST_URI ?? '', { appName: name }).connect();
  await expect(restore(client, folder, { drop: true })).rejects.toThrow(`services still use ${name}`);
  expect(await things.countDocuments()).toBe(2);
  await service.close();
  // MongoDB may still list the connection for a moment.
  await vi.waitFor(() => restore(client, folder, { drop: true }), 5_000);
  expect(await things.countDocuments()).toBe(2);
  await expect(restore(client, dirname(folder), { drop: true })).rejects.toThrow(`${basename(folder)} as of 2`);
});

it('ends with one line and 1 on a full disk, and leaves nothing that looks whole', async () => {
  const name = `${db.databaseName}_full`;
  const many = client.db(name).collection<{ _id: number; text?: string }>('many');
  // The first batch is less than a file buffers. Its write fails while the next one is read, which is large.
  await many.insertMany(Array.from({ length: 1_000 }, (_, _id) => ({ _id })));
  await many.insertOne({ _id: 1_000, text: 'x'.repeat(15_000_000) });
  const full = join(folder, 'full');
  const env = { ...process.env, MONGODB_URI: process.env.MONGODB_TEST_URI, BACKUP_DATABASES: name };
  const program = fileURLToPath(new URL('../bundle/main.js', import.meta.url));
  const args = ['-c', 'ulimit -f 4; exec "$@"', 'sh', process.execPath, program, 'backup', full];
  const ended = await new Promise((resolve) =>
    execFile('bash', args, { env }, (error, _, errors) => resolve([error?.code, errors])),
  );
  await client.db(name).dropDatabase();
  expect(ended).toEqual([1, 'backup: EFBIG: file too large, write\n']);
  await expect(restore(client, full, { drop: false })).rejects.toThrow('holds no whole backup');
});
