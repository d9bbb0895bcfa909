import { findMongodBinary } from '@knowledge/local/mongod';
import { createLogger } from '@knowledge/runtime';
import { connectMongo } from '@knowledge/runtime/mongodb';
import { WriteConcern } from 'mongodb';
import { expect, test } from 'vitest';
import { startReplicaSet } from '../harness/replica-set.js';
import { until } from '../harness/until.js';

test('a database whose primary answers while no majority confirms its writes is not ready, and the reason says so', async () => {
  const binary = await findMongodBinary({ env: process.env, log: () => undefined });
  const set = await startReplicaSet(3, { binary });
  const log = createLogger({ name: 'test', level: 'silent' });
  const mongo = connectMongo({ uri: set.uri, database: 'majority', appName: 'test', log });
  const check = () => mongo.check.check(AbortSignal.timeout(1_000));
  const primary = await set.primary();
  const others = set.members.filter(({ pid }) => pid !== primary.pid);
  const signal = (name: NodeJS.Signals): void => {
    for (const { pid } of others) process.kill(pid, name);
  };
  const things = mongo.db.collection('things', { writeConcern: new WriteConcern(1) });
  try {
    const admin = mongo.client.db('admin');
    const { config } = await admin.command({ replSetGetConfig: 1 });
    // So long that the primary stays the primary.
    const settings = { ...config.settings, electionTimeoutMillis: 600_000 };
    await admin.command({ replSetReconfig: { ...config, version: config.version + 1, settings } });
    await things.insertOne({});
    await check();
    signal('SIGSTOP');
    const reason = await until(
      'the reason',
      async () => (await things.insertOne({}), check().then(() => undefined, String)),
      60_000,
      500,
    );
    expect(reason).toMatch(
      /^Error: No majority of the replica set has confirmed a write for 1\d s; see rs\.status\(\)\.$/,
    );
    signal('SIGCONT');
    await until('a majority', () => check().then(() => true), 60_000, 500);
  } finally {
    signal('SIGCONT');
    await mongo.close();
    await set.stop();
  }
});
