import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findMongodBinary } from '@knowledge/local/mongod';
import { ContributionState } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Promised, startWriteLoad } from '../faults/write-load.js';
import { confirmationCodeIn, mailsTo } from '../harness/agent.js';
import { articleToPut } from '../harness/articles.js';
import { call } from '../harness/http.js';
import { seedReading } from '../harness/reading.js';
import { type RunningReplicaSet, startReplicaSet } from '../harness/replica-set.js';
import { asTester, type ServiceName, type System, serviceNames, startSystem } from '../harness/system.js';
import { until } from '../harness/until.js';
import { type ReadLoad, startReadLoad } from './read-load.js';

/** The tools for backup and restore. `mongodump` is tested too if it is on the PATH. */
interface Tool {
  readonly name: string;
  backUp(uri: string, databases: readonly string[], folder: string): Promise<void>;
  restore(uri: string, folder: string): Promise<void>;
}

const run = promisify(execFile);
const program = fileURLToPath(new URL('../../deploy/operations/bundle/main.js', import.meta.url));
const operations = (uri: string, databases: readonly string[], ...args: string[]) =>
  run(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'], MONGODB_URI: uri, BACKUP_DATABASES: databases.join() },
  });
const own: Tool = {
  name: 'operations backup',
  backUp: async (uri, databases, folder) => void (await operations(uri, databases, 'backup', folder)),
  restore: async (uri, folder) => void (await operations(uri, ['none'], 'restore', folder)),
};
const mongodump: Tool = {
  name: 'mongodump --oplog',
  backUp: async (uri, _databases, folder) => void (await run('mongodump', ['--uri', uri, '--oplog', '--out', folder])),
  restore: async (uri, folder) => void (await run('mongorestore', ['--uri', uri, '--oplogReplay', folder])),
};
const hasMongodump = await run('mongodump', ['--version']).then(
  () => true,
  () => false,
);
const tools = hasMongodump ? [own, mongodump] : [own];

/** All changes that the system acknowledged before a point in time. */
interface Acknowledged {
  readonly requests: Promised['requests'];
  readonly contributions: ReadonlyMap<string, readonly string[]>;
  readonly published: readonly string[];
  readonly tokens: readonly string[];
  readonly reads: ReadonlyMap<string, number>;
}

let folder: string;
let first: RunningReplicaSet;
let system: System;
let promised: Promised;
let reads: ReadLoad;
let before: Acknowledged;
let schemaBefore: Document;
const articles: string[] = [];
const newReplicaSet = async () =>
  startReplicaSet(1, { binary: await findMongodBinary({ env: process.env, log: () => undefined }) });

// All tools back up the same system under load. Then the test deletes the system.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'knowledge-backup-'));
  first = await newReplicaSet();
  system = await startSystem({ gateways: 2, mongodbUri: first.uri });
  articles.push(...(await seedReading(system)).org);
  const writes = startWriteLoad(system);
  promised = writes.promised;
  reads = startReadLoad(system.gateways, articles);
  const enough = () => promised.published.length >= 20 && promised.tokens.length >= 3 && reads.granted() >= 100;
  await until('a system full of life', enough, 60_000);
  before = acknowledged();
  schemaBefore = await schemaOf(first.uri);
  const databases = Object.values(system.databases);
  await Promise.all(tools.map((tool) => tool.backUp(first.uri, databases, join(folder, tool.name))));
  const count = promised.published.length;
  await until('life after the backup', () => promised.published.length >= count + 5, 60_000);
  await writes.stop();
  await reads.stop();
  expect(promised.unexpected).toEqual([]);
  expect(reads.unexpected).toEqual([]);
}, 240_000);
afterAll(async () => {
  await system?.close();
  await first?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('changes continued during the backup, so the backup is older', () => {
  expect(before.published.length).toBeGreaterThanOrEqual(20);
  expect(promised.published.length).toBeGreaterThan(before.published.length);
});

test('an incomplete or changed folder is refused before anything is written', async () => {
  const uri = 'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=100';
  await expect(operations(uri, [], 'restore', tmpdir())).rejects.toThrow(/holds no whole backup/);
  await expect(operations(first.uri, ['knowledge_nothing'], 'backup', join(folder, 'none'))).rejects.toThrow(
    /has no collections/,
  );
  await expect(operations(first.uri, [], 'restore', join(folder, own.name))).rejects.toThrow(/is there already/);
});

describe.each(tools)('deleted, and restored by $name', (tool) => {
  let second: RunningReplicaSet;
  let restored: System;
  let client: MongoClient;
  const db = (service: ServiceName) => client.db(system.databases[service]);

  beforeAll(async () => {
    second = await newReplicaSet();
    await tool.restore(second.uri, join(folder, tool.name));
    client = await new MongoClient(second.uri).connect();
  }, 120_000);
  afterAll(async () => {
    await restored?.close();
    await client?.close();
    await second?.stop();
  });

  test('every collection, validator and index is the same as before', async () => {
    expect(await schemaOf(second.uri)).toEqual(schemaBefore);
  });

  test('the data is consistent: every log and every count matches its documents', async () => {
    const changes = await db('content').collection<{ _id: number }>('changes').find().sort({ _id: 1 }).toArray();
    expect(changes.map(({ _id }) => Number(_id))).toEqual(changes.map((_, at) => at + 1));
    const counts = await db('content').collection('counts').find().toArray();
    expect(counts.map(({ position }) => Number(position))).toEqual([changes.length]);
    for (const service of ['identity', 'contributions'] as const) await expectLogged(service);
    // Every catalog object belongs to a published contribution, although they are in different databases.
    const objects = await db('content').collection<Document>('objects').find({ source: 'contribution' }).toArray();
    const ids = objects.map(({ _id }) => _id);
    const contributions = db('contributions').collection<Document>('contributions');
    expect(await contributions.countDocuments({ _id: { $in: ids }, state: 'published' })).toBe(ids.length);
    // The quota service counted every contribution before it was stored.
    const byEmail = await contributions.aggregate([{ $group: { _id: '$email', taken: { $sum: 1 } } }]).toArray();
    const counters = await db('quota').collection<{ _id: string; grants: string[] }>('counters').find().toArray();
    for (const { _id: email, taken } of byEmail) {
      const most = counters.filter(({ _id }) => _id.includes(digestOf(email))).map(({ grants }) => grants.length);
      expect(Math.max(0, ...most), email).toBeGreaterThanOrEqual(taken);
    }
  });

  test('the services start, and everything acknowledged before the backup is there', async () => {
    const envOf = Object.fromEntries(
      serviceNames.map((name) => [name, { MONGODB_DATABASE: system.databases[name], SMTP_URL: system.mail.url }]),
    );
    restored = await startSystem({ mongodbUri: second.uri, envOf });
    for (const [email, ids] of before.contributions) {
      const query = { email, state: ContributionState.UNSPECIFIED, pageSize: 100, pageToken: '', authorizationId: '' };
      const { contributions } = await restored.clients.contributions.listContributions(query, { requestId: 'backup' });
      expect(contributions.map(({ id }) => id)).toEqual(expect.arrayContaining([...ids]));
    }
    for (const id of before.published) {
      await until(
        `${id} in the catalog`,
        async () => (await call(`${restored.url}/api/v1/objects/${id}`)).status === 200,
      );
    }
    for (const token of before.tokens) {
      const headers = { authorization: `Bearer ${token}` };
      expect((await call(`${restored.url}/api/v1/agent/token`, { headers })).status).toBe(200);
    }
  }, 180_000);

  test('an authorization requested before the backup can be confirmed after it', async () => {
    const { email, deviceCode } = before.requests[0] ?? { email: '', deviceCode: '' };
    const mail = await until('its mail', () => mailsTo(system, email).find((each) => confirmationCodeIn(each)), 90_000);
    const url = `${restored.url}/api/v1/agent/authorize/confirm?code=${confirmationCodeIn(mail)}`;
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
    expect((await call(url, { ...init, body: '{}' })).json.authorization.state).toBe('confirmed');
    const body = JSON.stringify({ device_code: deviceCode });
    const { json } = await call(`${restored.url}/api/v1/agent/token`, { ...init, body });
    expect(json.token).toMatch(/\S{40}/);
  }, 120_000);

  test('a read that was granted before the backup stays counted', async () => {
    const readers = [...before.reads].filter(([, granted]) => granted > 0).slice(0, 20);
    expect(readers.length).toBeGreaterThan(10);
    for (const [reader, granted] of readers) {
      const { json } = await call(`${restored.url}/api/v1/agent/quota`, { headers: { 'x-agent-client-id': reader } });
      expect(json.quota.remaining, reader).toBeLessThanOrEqual(3 - granted);
    }
  });

  test('the change log continues, and a reader sees the next publication', async () => {
    const position = Number((await db('content').collection('counts').findOne())?.['position']);
    await restored.clients.editorial.putArticle(articleToPut({ slug: 'after-the-restore' }), asTester());
    const headers = { 'x-agent-client-id': 'after-the-restore' };
    const url = `${restored.url}/api/v1/content/after-the-restore?site=org`;
    await until('the new article', async () => (await call(url, { headers })).status === 200);
    await restored.clients.editorial.archiveArticle(
      { slug: 'after-the-restore', site: articleToPut({ slug: 'x' }).site, expectedRevision: 0, reason: '' },
      asTester(),
    );
    await until('its withdrawal', async () => (await call(url)).status === 404);
    const changes = db('content').collection<{ _id: number }>('changes');
    expect(await changes.countDocuments({ _id: { $gt: position } })).toBe(2);
  });

  async function expectLogged(service: 'identity' | 'contributions'): Promise<void> {
    const log = await db(service)
      .collection<{ _id: number; id: string; revision: number }>('transitions')
      .find()
      .toArray();
    expect(log.length).toBeGreaterThan(10);
    expect(log.map(({ _id }) => Number(_id)).sort((a, b) => a - b)).toEqual(log.map((_, at) => at + 1));
  }
});

test.runIf(hasMongodump)('mongorestore reads the folder of operations backup', async () => {
  const second = await newReplicaSet();
  try {
    const from = join(folder, own.name);
    await run('mongorestore', ['--uri', second.uri, from]);
    await expectSame(second.uri, from);
  } finally {
    await second.stop();
  }
});

test('a backup of the restored data is the same, byte for byte', async () => {
  const second = await newReplicaSet();
  try {
    const from = join(folder, own.name);
    await own.restore(second.uri, from);
    await expectSame(second.uri, from);
  } finally {
    await second.stop();
  }
});

/** Compares two databases, including number types and the order of fields. */
async function expectSame(uri: string, from: string): Promise<void> {
  const again = mkdtempSync(join(tmpdir(), 'knowledge-backup-again-'));
  try {
    await own.backUp(uri, Object.values(system.databases), join(again, 'it'));
    const filesOf = (root: string) =>
      Object.values(system.databases).flatMap((database) =>
        readdirSync(join(root, database))
          .filter((name) => name.endsWith('.bson'))
          .map((name) => [`${database}/${name}`, readFileSync(join(root, database, name)).toString('base64')]),
      );
    expect(filesOf(from).length).toBeGreaterThan(12);
    const found = new Map(filesOf(join(again, 'it')) as [string, string][]);
    for (const [name = '', bytes] of filesOf(from)) expect(found.get(name) === bytes, name).toBe(true);
  } finally {
    rmSync(again, { recursive: true });
  }
}

/** The hash with which the quota service stores an e-mail. */
function digestOf(email: string): string {
  return createHash('sha256').update(`e:${email}`).digest('base64url');
}

function acknowledged(): Acknowledged {
  return {
    requests: [...promised.requests],
    contributions: new Map(
      [...promised.contributions].map(([email, taken]) => [email, [...taken.values()].flatMap((ids) => [...ids])]),
    ),
    published: [...promised.published],
    tokens: [...promised.tokens],
    reads: new Map(reads.byReader),
  };
}

async function schemaOf(uri: string): Promise<Document> {
  const client = await new MongoClient(uri).connect();
  try {
    const schema: Document = {};
    for (const database of Object.values(system.databases)) {
      for (const { name, options } of (await client
        .db(database)
        .listCollections({}, { nameOnly: false })
        .toArray()) as Document[]) {
        const indexes = await client.db(database).collection(name).listIndexes().toArray();
        schema[`${database}.${name}`] = { options, indexes: indexes.sort((a, b) => (a['name'] < b['name'] ? -1 : 1)) };
      }
    }
    return schema;
  } finally {
    await client.close();
  }
}
