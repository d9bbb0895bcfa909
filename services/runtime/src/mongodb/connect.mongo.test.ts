import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Collection } from 'mongodb';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { deadlineIn, deadlineSignal } from '../deadline.js';
import { translateOutage } from '../errors/knowledge-error.js';
import { connectAgain, openTestDatabase } from '../testing/service-process.js';
import { abortable } from './operation.js';

const mongo = openTestDatabase('connect');
afterAll(() => mongo.close());
const uri = process.env.MONGODB_TEST_URI ?? '';
const within = (ms: number) => deadlineSignal(deadlineIn(ms)).signal;

describe('a connection', () => {
  it('keeps its guarantees whatever options the URI has', async () => {
    const weak =
      'w=1&journal=false&wtimeoutMS=1&readPreference=secondaryPreferred&readConcernLevel=local&retryWrites=false';
    const hostile = `mongodb://127.0.0.1:1/?${weak}&maxPoolSize=1&socketTimeoutMS=0&serverSelectionTimeoutMS=60000`;
    const { client, db, close } = connectAgain(mongo.db, { uri: hostile });
    for (const { writeConcern, readConcern, readPreference } of [db, db.collection('things'), client.options]) {
      expect(writeConcern).toMatchObject({ w: 'majority', wtimeoutMS: 2000, journal: true });
      expect(readConcern).toMatchObject({ level: 'majority' });
      expect(readPreference).toMatchObject({ mode: 'primary' });
    }
    expect(client.options).toMatchObject({
      retryWrites: true,
      maxPoolSize: 50,
      waitQueueTimeoutMS: 1000,
      serverSelectionTimeoutMS: 3000,
      heartbeatFrequencyMS: 5000,
      connectTimeoutMS: 2000,
      socketTimeoutMS: 5000,
      appName: 'test',
    });
    await close();
  });

  it('sends the majority write concern with every write', async () => {
    const seen: unknown[] = [];
    const { client, db } = connectAgain(mongo.db, { tuning: { monitorCommands: true } });
    client.on('commandStarted', ({ commandName, command }) => {
      if (['insert', 'update', 'delete', 'findAndModify'].includes(commandName)) seen.push(command.writeConcern);
    });
    const things = db.collection('things');
    await things.insertOne({ a: 1 });
    await things.bulkWrite([{ updateOne: { filter: { a: 1 }, update: { $set: { b: 1 } } } }], { ordered: false });
    await things.findOneAndUpdate({ a: 1 }, { $set: { c: 1 } });
    await things.deleteMany({});
    await client.close();
    expect(seen).toHaveLength(4);
    for (const concern of seen) expect(concern).toMatchObject({ w: 'majority', wtimeout: 2000, j: true });
  });

  it('starts before its server does, and connects later', async () => {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const bound = listener.address();
    const port = typeof bound === 'object' ? bound?.port : 0;
    listener.close();
    await once(listener, 'close');
    // A direct connection, because a server in a container may report a host name that this machine cannot reach.
    const late = connectAgain(mongo.db, { uri: `mongodb://127.0.0.1:${port}/?directConnection=true` });
    const begun = Date.now();
    const refused = await late.check.check(within(500)).catch((error: unknown) => error);
    expect(translateOutage(refused)).toMatchObject({ code: 'unavailable' });
    expect(Date.now() - begun).toBeLessThan(1000);
    // After this event the driver no longer tries to connect by itself.
    await once(late.client, 'topologyClosed');

    // The proxy leads to the real server, but its port opens only now.
    const target = new URL(uri.replace('mongodb:', 'http:').replace(/,[^/]*/, ''));
    const proxy = createServer((socket) => {
      const upstream = connect(Number(target.port), target.hostname);
      for (const [from, to] of [[socket, upstream] as const, [upstream, socket] as const]) {
        from.pipe(to);
        from.on('error', () => to.destroy());
      }
    }).listen(port, '127.0.0.1');
    await vi.waitFor(() => late.check.check(within(1000)), { timeout: 5000, interval: 50 });
    await late.close();
    proxy.close();
  });
});

describe('a signal', () => {
  const body = 'function () { sleep(1000); return true; }';
  const slow = { $expr: { $function: { body, args: [], lang: 'js' } } };
  const set = { $set: { a: 1 } };

  it.each<[string, (things: Collection, signal: AbortSignal) => Promise<unknown>]>([
    ['find', (things, signal) => things.find(slow, abortable(signal)).toArray()],
    ['findOne', (things, signal) => things.findOne(slow, abortable(signal))],
    ['countDocuments', (things, signal) => things.countDocuments(slow, abortable(signal))],
    ['aggregate', (things, signal) => things.aggregate([{ $match: slow }], abortable(signal)).toArray()],
    ['updateOne', (things, signal) => things.updateOne(slow, set, abortable(signal))],
    ['findOneAndUpdate', (things, signal) => things.findOneAndUpdate(slow, set, abortable(signal))],
    ['deleteOne', (things, signal) => things.deleteOne(slow, abortable(signal))],
    [
      'bulkWrite',
      (things, signal) =>
        things.bulkWrite([{ updateOne: { filter: slow, update: set } }], { ordered: false, ...abortable(signal) }),
    ],
  ])('ends %s while it runs, as an outage', async (name, run) => {
    const things = mongo.db.collection(`slow_${name}`);
    await things.insertOne({});
    const begun = Date.now();
    const error = await run(things, within(100)).catch((failed: unknown) => failed);
    expect(translateOutage(error)).toMatchObject({ code: 'unavailable' });
    expect(Date.now() - begun).toBeLessThan(900);
  });

  it('that has aborted prevents every operation', async () => {
    const things = mongo.db.collection('never');
    const insert = things.insertOne({ never: true }, abortable(AbortSignal.abort()));
    await expect(insert).rejects.toMatchObject({ name: 'AbortError' });
    expect(await things.countDocuments({ never: true })).toBe(0);
  });
});

it('a change stream survives an idle time that is longer than the socket time-out', async () => {
  const { client, db, close } = connectAgain(mongo.db, { tuning: { socketTimeoutMS: 1500 } });
  const watched = db.collection('watched');
  await watched.insertOne({ first: true });
  const stream = watched.watch();
  const failed = vi.fn();
  const reconnected = vi.fn();
  client.on('connectionClosed', reconnected);
  stream.on('error', failed);
  const changed = once(stream, 'change');
  const idleUntil = Date.now() + 3500;
  await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(idleUntil), { timeout: 5000, interval: 100 });
  await watched.insertOne({ second: true });
  await changed;
  expect(failed).not.toHaveBeenCalled();
  expect(reconnected).not.toHaveBeenCalled();
  await stream.close();
  await close();
});
