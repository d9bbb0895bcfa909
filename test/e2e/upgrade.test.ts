import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PutArticleRequest, PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';
import { dropDatabases } from '@knowledge/runtime/testing';
import { type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contribute, newStory } from '../harness/agent.js';
import { bearer, call, freshReader } from '../harness/http.js';
import { asTester, type ServiceName, type System, serviceNames, startSystem } from '../harness/system.js';
import { fill } from './upgrade/fill.js';
import { readStored, restoreStored, type Stored, writeStored } from './upgrade/stored.js';

const uri = process.env['MONGODB_TEST_URI'] ?? '';
const newNames = (): Record<ServiceName, string> => {
  const suffix = randomBytes(4).toString('hex');
  return Object.fromEntries(serviceNames.map((name) => [name, `test_upgrade_${name}_${suffix}`])) as never;
};
const client = new MongoClient(uri);
afterAll(() => client.close());

// With `STORED=write` the current release stores its databases for the tests of the next release.
test.runIf(process.env['STORED'] === 'write')('stores the databases of this release', async () => {
  const system = await startSystem();
  try {
    await writeStored(uri, { ...system.databases }, await fill(system));
  } finally {
    await system.close();
  }
});

describe('databases that an earlier release wrote', () => {
  const databases = newNames();
  let stored: Stored;
  let system: System;
  beforeAll(async () => {
    stored = readStored();
    await restoreStored(uri, databases, stored);
    system = await startSystem({ databases });
  });
  afterAll(() => system?.close());
  const documents = (collection: string) => stored.databases.content[collection]?.documents ?? [];
  const readContent = (path: string) => call(`${system.url}/api/v1/${path}`, { headers: freshReader() });

  test('readers see every published article with its times', async () => {
    const published = documents('articles').filter(({ site, state }) => site === 'org' && state === 'published');
    const { json } = await readContent('content?site=org&limit=200');
    expect(json.total).toBe(published.length);
    for (const entry of json.entries) expect(Object.values(entry)).not.toContain('undefined');
    const shown = json.entries.map((entry: Document) => [entry['slug'], Date.parse(entry['published_at'])]);
    const wanted = published.map(({ slug, publishedAt }) => [slug, (publishedAt as Date).getTime()]);
    expect(new Map(shown)).toEqual(new Map(wanted as [string, number][]));
    const { json: whole } = await readContent('content/field-note-1?site=org');
    expect(whole.article.body).toContain('A wombat rollout');
    expect((await readContent('content/archived?site=org')).status).toBe(404);
  });

  test('editors see every article unchanged: its state, its history, and a put that changes nothing', async () => {
    const { editorial } = system.clients;
    for (const { site, slug, state, ...before } of documents('articles')) {
      const name = { site: site === 'io' ? 'SITE_IO' : 'SITE_ORG', slug } as never;
      const { article } = await editorial.getArticleRecord(name, asTester());
      expect(article?.state).toBe(`ARTICLE_STATE_${String(state).toUpperCase()}`);
      expect(article?.createdAt).toEqual(before['createdAt']);
      expect(article?.history).toHaveLength(before['revision']);
      const whole: object = { ...article?.entry, body: article?.body, validateOnly: true };
      const { outcome } = await editorial.putArticle(PutArticleRequest.fromPartial(whole), asTester());
      expect(outcome).toBe(PutOutcome.UNCHANGED);
    }
  });

  test('highlights and the catalog are unchanged, and withdrawn objects are missing', async () => {
    const { json } = await readContent('curated?site=org');
    expect(json.entries.map(({ slug }: Document) => slug)).toEqual(['field-note-3', 'field-note-1']);
    const { json: catalog } = await readContent('objects/catalog?site=org');
    expect(catalog.entries.map(({ id }: Document) => id).sort()).toEqual(
      [stored.known.objectId, stored.known.contributionId].sort(),
    );
  });

  test('an agent can still use its token and finds its contribution', async () => {
    const { token, contributionId } = stored.known;
    const headers = bearer(token);
    const { json } = await call(`${system.url}/api/v1/contributions/${contributionId}`, { headers });
    expect(json.contribution.state).toBe('published');
    expect((await contribute(system, token, newStory())).status).toBe(201);
  });

  test('the migration Job gives the same result as a start', async () => {
    const byJob = newNames();
    await restoreStored(uri, byJob, stored);
    for (const service of serviceNames) await migrate(service, byJob[service]);
    // The tests above have read articles.
    const collections = Object.keys(stored.databases.content).filter((name) => name !== 'read_counts');
    for (const name of collections) {
      const [atStart, atJob] = [databases.content, byJob.content].map((db) =>
        client.db(db).collection(name).find().sort({ _id: 1 }).toArray(),
      );
      expect(await atJob, name).toEqual(await atStart);
    }
    await dropDatabases(Object.values(byJob));
  });

  test('the collections and indexes are those of a new database', async () => {
    const fresh = newNames();
    for (const service of serviceNames) {
      await migrate(service, fresh[service]);
      expect(await indexesOf(databases[service]), service).toEqual(await indexesOf(fresh[service]));
    }
    await dropDatabases(Object.values(fresh));
  });
});

/** The names of the indexes of each collection. */
async function indexesOf(database: string): Promise<Record<string, string[]>> {
  const db = client.db(database);
  const names = (await db.listCollections().toArray()).map(({ name }) => name).sort();
  const indexes = names.map(async (name) => {
    const listed = await db.collection(name).listIndexes().toArray();
    return [name, listed.map((index) => index['name']).sort()] as const;
  });
  return Object.fromEntries(await Promise.all(indexes));
}

async function migrate(service: ServiceName, database: string): Promise<void> {
  const env = {
    PATH: process.env['PATH'],
    LOG_LEVEL: 'warn',
    MONGODB_URI: uri,
    MONGODB_DATABASE: database,
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'Community Knowledge Service <knowledge@example.org>',
  };
  const main = fileURLToPath(new URL(`../../services/${service}/bundle/main.js`, import.meta.url));
  await promisify(execFile)(process.execPath, [main, 'migrate'], { env });
}
