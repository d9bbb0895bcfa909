import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { applySchema } from '../mongodb/index.js';
import { openTestDatabase } from '../testing/index.js';
import type { Transition } from '../transition.js';
import { personHash } from '../watch/cursor.js';
import { historySchema, logIndex, type TransitionEntry, transitionsSchema } from './log-source.js';
import { createTransitionLog } from './transition-log.js';

interface Thing {
  _id: string;
  publicId: string;
  title: string;
  site: string;
  email?: string;
  history: Transition[];
  logSince?: Date;
}

type Entry = TransitionEntry<'thing' | 'key' | 'person'> & { site?: string };

const mongo = openTestDatabase('transition_log');
const things = mongo.db.collection<Thing>('things');
const keys = mongo.db.collection<Thing>('keys');
const transitions = mongo.db.collection<{ _id: number; id: string }>('transitions');
const sources = [
  { subject: 'thing', collection: 'things', nameField: 'title', copied: ['site'] },
  { subject: 'key', collection: 'keys', idField: 'publicId', nameField: 'title', copied: ['site'] },
];
const signal = (): AbortSignal => new AbortController().signal;

const withHistory = (name: string) => ({
  name,
  validator: { $jsonSchema: { bsonType: 'object', properties: { history: historySchema } } },
  indexes: [logIndex],
});
beforeAll(() =>
  applySchema(mongo.db, [
    withHistory('things'),
    withHistory('keys'),
    transitionsSchema(['thing', 'key', 'person'], { site: { bsonType: 'string' } }),
  ]),
);
beforeEach(async () => {
  for (const collection of [things, keys, transitions]) await collection.deleteMany({});
});
afterAll(() => mongo.close());

const openLog = (options: { deleteErased?: boolean; count?: (entries: readonly object[]) => void } = {}) =>
  createTransitionLog<Entry>(mongo.db, { sources, ...options });

function step(revision: number, to: string, at = new Date()): Transition {
  return { from: revision === 1 ? '' : 'new', to, actor: 'ada', at, reason: 'a name', revision };
}

async function make(collection: typeof things, fields: Partial<Thing> = {}): Promise<Thing> {
  const id = randomUUID();
  const history = [step(1, 'new')];
  const made = { _id: id, publicId: id, title: 'One', site: 'io', history, logSince: new Date(), ...fields };
  await collection.insertOne(made);
  return made;
}

async function change(collection: typeof things, { _id }: Thing, ...steps: Transition[]): Promise<void> {
  await collection.updateOne({ _id }, { $push: { history: { $each: steps } }, $set: { logSince: new Date() } });
}

async function collectAll(log = openLog()): Promise<void> {
  while (await log.collect(signal()));
}

it('logs each transition once, without gaps and in order of revisions, even if collectors compete or die', async () => {
  let counted = 0;
  const count = (entries: readonly object[]): void => {
    counted += entries.length;
  };
  const replicas = [openLog({ count }), openLog({ count }), openLog({ count })];
  const write = async (collection: typeof things): Promise<void> => {
    for (let at = 0; at < 60; at++) {
      const made = await make(collection);
      // The second transition has an earlier time, as if another clock were behind.
      await change(collection, made, step(2, 'done', new Date(Date.now() - 1000)));
    }
  };
  let writing = true;
  // Simulates a replica that died after logging the transitions and before marking them as logged.
  const die = async (): Promise<void> => {
    while (writing) await things.updateMany({}, { $set: { logSince: new Date() } });
  };
  const collect = async (log: ReturnType<typeof openLog>): Promise<void> => {
    while ((await log.collect(signal())) || writing);
  };
  const written = Promise.all([write(things), write(keys)]).finally(() => {
    writing = false;
  });
  await Promise.all([written, die(), ...replicas.map(collect)]);
  // The last change may come after the last look of every replica.
  await collectAll(openLog({ count }));

  const entries = await openLog().read(0, 1000, signal());
  expect(entries.map(({ position }) => position)).toEqual(Array.from({ length: 240 }, (_, at) => at + 1));
  const names = entries.map(({ id, revision }) => `${id} ${revision}`);
  expect(new Set(names).size).toBe(240);
  for (const { id } of entries) expect(names.indexOf(`${id} 1`)).toBeLessThan(names.indexOf(`${id} 2`));
  expect(counted).toBe(240);
  for (const collection of [things, keys])
    expect(await collection.countDocuments({ logSince: { $exists: true } })).toBe(0);
});

it('gives an entry the fields of its document, a hash of the owner, and the current name', async () => {
  const made = await make(keys, { publicId: 'k1', email: 'Ada@example.org' });
  await collectAll();
  await keys.updateOne({ _id: made._id }, { $set: { title: 'Two' } });
  const person = personHash('ada@example.org');
  expect(await openLog().read(0, 9, signal())).toEqual([
    { position: 1, subject: 'key', id: 'k1', site: 'io', person, name: 'Two', ...made.history[0] },
  ]);
  expect(await transitions.findOne({ name: { $exists: true } })).toBeNull();
});

it('stores audit records between the transitions', async () => {
  await make(things);
  const log = openLog();
  const facts = { subject: 'person', id: 'hash', to: 'exported', actor: 'bob', reason: 'asked' } as const;
  const look = { ...facts, at: new Date() };
  await log.record(look, signal());
  await collectAll();
  await log.record(look, signal());
  const entries = await log.read(0, 9, signal());
  expect(entries.map(({ position, audit }) => ({ position, audit }))).toEqual([
    { position: 1, audit: true },
    { position: 2, audit: undefined },
    { position: 3, audit: true },
  ]);
  expect(await log.last(signal())).toBe(3);
  expect(await log.before(new Date(0), signal())).toBe(0);
  expect(await log.before(new Date(Date.now() + 60_000), signal())).toBeUndefined();
});

it('finds where the entries since a time begin without reading those before', async () => {
  const entry = (at: number) => ({
    ...step(at + 1, 'new', new Date(1e12 + at)),
    _id: at + 1,
    subject: 'thing',
    id: 'x',
  });
  await transitions.insertMany(Array.from({ length: 2000 }, (_, at) => entry(at)));
  const since = new Date(1e12 + 1995);
  expect(await openLog().before(since, signal())).toBe(1995);
  const query = transitions.find({ at: { $gte: since } } as object, { sort: { _id: 1 }, limit: 1 });
  expect((await query.explain('executionStats')).executionStats.totalKeysExamined).toBeLessThan(20);
});

it('deletes an erased document when all its transitions are logged, and removes its reasons and owner', async () => {
  const made = await make(things, { email: 'ada@example.org' });
  const other = await make(things, { email: 'bob@example.org' });
  const log = openLog({ deleteErased: true });
  await log.record({ ...step(0, ''), subject: 'thing', id: made._id, to: 'viewed', reason: 'support' }, signal());
  await collectAll(log);
  await erase(made);
  await collectAll(log);
  expect(await things.distinct('_id')).toEqual([other._id]);
  const entries = (await log.read(0, 9, signal())).filter(({ id }) => id === made._id);
  expect(entries.map(({ to, reason }) => ({ to, reason }))).toEqual([
    { to: 'viewed', reason: '' },
    { to: 'new', reason: '' },
    { to: 'erased', reason: '' },
  ]);
  expect(entries.filter(({ person }) => person !== undefined)).toEqual([]);
  expect(log.erases?.(entries[2] as Entry)).toBe(true);
});

it('leaves an erased document to the service, without its reasons and owner in the log', async () => {
  const made = await make(things, { email: 'ada@example.org' });
  await collectAll();
  await erase(made, { ...step(2, 'new'), reason: 'erased' });
  await change(things, made, step(3, 'new'));
  await collectAll();
  expect(await things.findOne()).toMatchObject({ _id: made._id });
  const entries = await openLog().read(0, 9, signal());
  expect(entries.map(({ reason, person }) => [reason, person])).toEqual([
    ['', undefined],
    ['erased', undefined],
    ['a name', undefined],
  ]);
  expect(entries.map((each) => openLog().erases?.(each))).toEqual([false, true, false]);
});

it('keeps who looked at a person who is erased, without the reasons', async () => {
  const log = openLog();
  const person = personHash('ada@example.org');
  const look = {
    subject: 'person',
    id: person,
    to: 'viewed',
    actor: 'bob',
    at: new Date(),
    reason: 'Ada wrote',
  } as const;
  await log.record(look, signal());
  await log.forgetReasons(person, signal());
  expect(await log.read(0, 9, signal())).toMatchObject([{ actor: 'bob', to: 'viewed', reason: '' }]);
});

async function erase(made: Thing, by = step(2, 'erased')) {
  await change(things, made, by);
  await things.updateOne({ _id: made._id }, { $set: { email: '' } });
}
