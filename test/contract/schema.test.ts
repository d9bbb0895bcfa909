import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { dropDatabases } from '@knowledge/runtime/testing';
import { type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serviceNames } from '../harness/system.js';
import { type CollectionSchema, incompatibilities } from './schema-rules.js';
import { fieldsOf, toldOf } from './stored-fields.js';

/** The schemas of the previous release. At a release, run the test with `SCHEMA_BASELINE=write` to update the file. */
const baselineFile = fileURLToPath(new URL('schema-baseline.json', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const suffix = randomBytes(4).toString('hex');
const client = new MongoClient(process.env['MONGODB_TEST_URI'] ?? '');
const schema: Record<string, CollectionSchema> = {};
type StoredData = { readonly storedData: readonly { id: string; what: string; why: string }[] };

// Reads the schemas that `node bundle/main.js migrate` creates in empty databases.
beforeAll(async () => {
  await Promise.all(
    serviceNames.map(async (name) => {
      const db = client.db(`test_schema_${name}_${suffix}`);
      const env = {
        PATH: process.env['PATH'],
        LOG_LEVEL: 'warn',
        MONGODB_URI: process.env['MONGODB_TEST_URI'],
        MONGODB_DATABASE: db.databaseName,
        SMTP_URL: 'smtp://127.0.0.1:1',
        MAIL_FROM: 'Community Knowledge Service <knowledge@example.org>',
      };
      await run(process.execPath, [`${root}services/${name}/bundle/main.js`, 'migrate'], { env });
      for (const { name: collection, options } of await db.listCollections<Document & { name: string }>().toArray()) {
        const listed = await db.collection(collection).listIndexes().toArray();
        const indexes = Object.fromEntries(listed.map(({ v: _, name, ...index }) => [name, index]));
        schema[`knowledge_${name}.${collection}`] = { validator: options?.validator ?? {}, indexes };
      }
    }),
  );
}, 120_000);
afterAll(async () => {
  await client.close();
  await dropDatabases(serviceNames.map((name) => `test_schema_${name}_${suffix}`));
});

test('a release can run beside the previous one: no write is refused and no index is missing', () => {
  if (process.env['SCHEMA_BASELINE'] === 'write')
    writeFileSync(baselineFile, `${JSON.stringify(Object.fromEntries(Object.entries(schema).sort()), null, 2)}\n`);
  const baseline = JSON.parse(readFileSync(baselineFile, 'utf8')) as Record<string, CollectionSchema>;
  expect(Object.keys(baseline).length).toBeGreaterThan(12);
  expect(incompatibilities(baseline, schema)).toEqual([]);
});

test('every stored field stands on the page about privacy', async () => {
  const { storedData } = (await import(`${root}gateway/src/pages/orientation/stored-data.ts`)) as StoredData;
  const told = Object.entries(toldOf).flatMap(([name, rows]) => (rows === '-' ? [] : [[name, rows] as const]));
  for (const [name, rows] of told) {
    const fields = Object.values(rows).flat().sort();
    expect([name, ...fieldsOf(schema[name] ?? { validator: {} })]).toEqual([name, ...fields]);
  }
  // A new collection needs a line here too.
  const others = Object.keys(schema).filter((name) => toldOf[name] === undefined);
  expect(others.sort()).toEqual(Object.keys(toldOf).filter((name) => schema[name] === undefined));
  const rows = new Set(told.flatMap(([, each]) => Object.keys(each)));
  expect(
    storedData
      .map(({ id }) => id)
      .filter((id) => id !== 'reading')
      .sort(),
  ).toEqual([...rows].sort());
});

// A row can be named for a field that its words do not mention. These are what a person wants to know most.
test.each([
  [/(^|\.)reason$/, /\bwhy\b|\breasons?\b/i],
  [/(^|\.)(actor|author|\w+By)$/, /\bwho\b|moderators?\b|your name\b|\byou turned\b/i],
  [/(^|\.)until$/, /\buntil\b/],
])('the words about a stored %s speak of it', async (field, words) => {
  const { storedData } = (await import(`${root}gateway/src/pages/orientation/stored-data.ts`)) as StoredData;
  const silent = Object.entries(toldOf).flatMap(([name, rows]) =>
    Object.entries(rows === '-' ? {} : rows)
      .filter(([id, fields]) => {
        const { what = '', why = '' } = storedData.find((row) => row.id === id) ?? {};
        return fields.some((each) => field.test(each)) && !words.test(`${what} ${why}`);
      })
      .map(([id]) => `${name}: ${id}`),
  );
  expect(silent).toEqual([]);
});

describe('changes that would break the previous release are found', () => {
  const before = (
    properties: Document,
    required: string[] = [],
    more: Document = {},
  ): Record<string, CollectionSchema> => ({
    a: { validator: { $jsonSchema: { required, properties, ...more } }, indexes: { one: { key: { x: 1 } } } },
  });
  const old = before({ x: { enum: ['a', 'b'] }, n: { bsonType: ['int', 'long'], maximum: 5 } }, ['x']);

  test.each<[string, Record<string, CollectionSchema>, Record<string, CollectionSchema>?]>([
    [
      'a field that is required from now on',
      before({ x: { enum: ['a', 'b'] }, n: { bsonType: ['int', 'long'], maximum: 5 } }, ['x', 'n']),
    ],
    [
      'a value that is no longer allowed',
      before({ x: { enum: ['a'] }, n: { bsonType: ['int', 'long'], maximum: 5 } }, ['x']),
    ],
    ['a narrower type', before({ x: { enum: ['a', 'b'] }, n: { bsonType: 'int', maximum: 5 } }, ['x'])],
    ['a lower bound', before({ x: { enum: ['a', 'b'] }, n: { bsonType: ['int', 'long'], maximum: 4 } }, ['x'])],
    [
      'a rule for a field that had none',
      before({ x: { enum: ['a', 'b'] }, n: { bsonType: ['int', 'long'], maximum: 5, minimum: 1 } }, ['x']),
    ],
    [
      'a field that is removed where no others are allowed',
      before({ x: {} }, [], { additionalProperties: false }),
      before({ x: {}, n: {} }, [], { additionalProperties: false }),
    ],
    [
      'alternatives that all exclude what was written',
      before({ x: { enum: ['a', 'b'] }, n: { bsonType: ['int', 'long'], maximum: 5 } }, ['x'], {
        anyOf: [{ required: ['n'] }, { required: ['turn'] }],
      }),
    ],
    ['an index that is gone', { a: { ...(old['a'] as CollectionSchema), indexes: {} } }],
    ['an index with another key', { a: { ...(old['a'] as CollectionSchema), indexes: { one: { key: { y: 1 } } } } }],
    [
      'a new unique index',
      {
        a: {
          ...(old['a'] as CollectionSchema),
          indexes: { one: { key: { x: 1 } }, two: { key: { n: 1 }, unique: true } },
        },
      },
    ],
    ['a collection that is gone', {}],
  ])('%s', (_what, now, was = old) => {
    expect(incompatibilities(was, now)).toHaveLength(1);
  });

  test('harmless changes are not reported', () => {
    const wider = before({
      x: { enum: ['a', 'b', 'c'] },
      n: { bsonType: ['int', 'long', 'double'] },
      more: { bsonType: 'string' },
    });
    expect(incompatibilities(old, wider)).toEqual([]);
    const another = before({ x: { enum: ['a', 'b'] }, turn: { bsonType: 'int' } }, [], {
      anyOf: [{ required: ['x'] }, { required: ['turn'] }],
    });
    expect(incompatibilities(old, another)).toEqual([]);
  });
});

describe('the sharding plan', () => {
  let hashed: string[];
  beforeAll(async () => {
    const args = [`${root}deploy/operations/bundle/main.js`, 'shard-collections', '--print'];
    const commands = (await run(process.execPath, args)).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    hashed = commands.flatMap(({ shardCollection }) => shardCollection ?? []);
    for (const { shardCollection, key } of commands) if (shardCollection) expect(key).toEqual({ _id: 'hashed' });
  });

  test('names only existing collections, and every collection that is not distributed', () => {
    const whole = {
      content: ['changes', 'counts', 'highlights', 'migrations', 'search_salts', 'synonyms'],
      contributions: ['canned_reasons', 'followers', 'migrations', 'presence', 'prompts', 'sites', 'transitions'],
      identity: [
        ...['erasures', 'mail_domain_days', 'mail_domain_rules', 'migrations', 'sign_in_codes', 'staff_members'],
        ...['staff_sessions', 'transitions'],
      ],
      quota: ['ceilings', 'migrations', 'subject_acts', 'used_up_days'],
    };
    expect(hashed.filter((name) => !(name in schema))).toEqual([]);
    expect(
      Object.keys(schema)
        .filter((name) => !hashed.includes(name))
        .sort(),
    ).toEqual(Object.entries(whole).flatMap(([db, names]) => names.map((name) => `knowledge_${db}.${name}`)));
  });

  // Equal `_id`s have the same hash, so they are on the same shard. No other unique index could be checked in one
  // shard.
  test('distributes no collection with a unique index other than _id', () => {
    for (const name of hashed) {
      const unique = Object.entries(schema[name]?.indexes ?? {}).filter(([, { unique }]) => unique === true);
      expect(unique, name).toEqual([]);
    }
  });

  test('refuses a replica set', async () => {
    const args = [`${root}deploy/operations/bundle/main.js`, 'shard-collections'];
    const env = { PATH: process.env['PATH'], MONGODB_URI: process.env['MONGODB_TEST_URI'] };
    await expect(run(process.execPath, args, { env })).rejects.toThrow(/leads to no mongos/);
  });
});
