import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { SearchRequest, SearchServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import { connectGrpc } from '@knowledge/runtime/grpc';
import { type Db, type Document, MongoClient } from 'mongodb';
import { articleToPut } from '../harness/articles.js';
import { deskOf } from '../harness/desk.js';
import { freePort } from '../harness/free-port.js';
import { type ManagedProcess, startProcess } from '../harness/managed-process.js';
import { asTester } from '../harness/system.js';
import { readQueries, sampleFolder } from '../search/queries.js';
import { clusterSettings, dropIndex } from '../search/search-cluster.js';
import { onMongod, quantile, readOptions, timed } from './benchmark.js';
import { createRandom, createVariedTexts, rareWord } from './varied-texts.js';
import { cpuOf } from './wrk.js';

const help = `Measures search over many articles: two replicas of content, asked at a steady rate.

  npm run bench:search-size -- [--articles 100000] [--rate 20] [--seconds 60] [--uri URI --database NAME]

--articles  how many articles are made from parts of the sample texts
--rate      searches a second
--uri       a running MongoDB in place of a new one with a cache of 1 GB; its database is kept, and used again if it has articles`;

const values = readOptions(
  help,
  {
    articles: '100000',
    rate: '20',
    seconds: '60',
    database: `search_size_${process.pid}`,
  },
  ['uri'],
);

const count = Number(values.articles);
const rate = Number(values.rate);
const seconds = Number(values.seconds);
const { database } = values;

async function measure(uri: string): Promise<void> {
  const mongo = await MongoClient.connect(uri);
  const replicas: Replica[] = [];
  try {
    const articles = mongo.db(database).collection('articles');
    const isNew = (await articles.estimatedDocumentCount()) < count;
    if (isNew) {
      // A change of the database behind the back of the service reaches only an index that is filled later.
      const seeding = await startReplica(uri, 'seeding');
      await seeding.firstAnswer();
      await seed(seeding, mongo.db(database));
      await seeding.close();
      await dropIndex();
    }
    const first = await startReplica(uri, 'content');
    replicas.push(first);
    if (isNew) {
      const begun = performance.now();
      await first.firstAnswer();
      console.log(`first answer over new articles ${since(begun)} s`);
    }
    const begun = performance.now();
    await first.process.restart();
    await first.firstAnswer();
    console.log(`start until the first answer ${since(begun)} s`);
    const second = await startReplica(uri, 'content-2');
    replicas.push(second);
    await second.firstAnswer();
    console.log(`resident after the start ${first.megabytes()} MB, ${second.megabytes()} MB`);
    // The first searches run before the code is compiled well, so the rate is lower.
    await ask(first, 10, rate / 4);
    const pids = { content: first.process.pid };
    const before = cpuOf(pids);
    const { times, again, failed } = await ask(first, seconds, rate);
    const ticks = (cpuOf(pids)['content'] ?? 0) - (before['content'] ?? 0);
    console.log(`${count} articles, ${times.length} searches at ${rate}/s: ${shares(times)}, ${failed} failed`);
    console.log(`those whose words were asked for before: ${shares(again)}`);
    console.log(
      `CPU of content a search: ${((ticks * 10) / times.length).toFixed(1)} ms; resident ${first.megabytes()} MB`,
    );
    console.log(
      `slowest: ${times
        .sort((one, other) => one - other)
        .slice(-3)
        .map((ms) => ms.toFixed(0))} ms`,
    );
    await follow(first, second);
  } finally {
    for (const each of replicas) await each.close();
    await dropIndex();
    if (values.uri === undefined) await mongo.db(database).dropDatabase();
    await mongo.close();
  }
}

interface Replica {
  readonly process: ManagedProcess;
  readonly address: string;
  search(query: string): Promise<{ slugs: string[]; total: number }>;
  firstAnswer(): Promise<void>;
  readonly editorial: ReturnType<typeof connectGrpc<typeof EditorialServiceService>>;
  megabytes(): number;
  close(): Promise<void>;
}

async function startReplica(uri: string, name: string): Promise<Replica> {
  const address = `127.0.0.1:${await freePort()}`;
  const env = {
    MONGODB_URI: uri,
    MONGODB_DATABASE: database,
    GRPC_ADDRESS: address,
    LOG_LEVEL: 'info',
    ...clusterSettings,
  };
  const main = fileURLToPath(new URL('../../../services/content/bundle/main.js', import.meta.url));
  const flags = (process.env['CONTENT_FLAGS'] ?? '').split(' ').filter((flag) => flag !== '');
  const running = await startProcess({
    name,
    command: [process.execPath, ...flags, main],
    env,
    // Its first answer is measured.
    ready: () => Promise.resolve(),
  });
  const client = connectGrpc(SearchServiceService, { address, deadlineMs: 60_000 });
  const editorial = connectGrpc(EditorialServiceService, { address, deadlineMs: 10_000 });
  const search: Replica['search'] = async (query) => {
    const response = await client.search(SearchRequest.fromPartial({ query }), { requestId: randomUUID() });
    const slugs = response.hits.flatMap(({ entry }) => (entry?.$case === 'article' ? [entry.value.slug] : []));
    return { slugs, total: response.total };
  };
  return {
    process: running,
    address,
    editorial,
    search,
    async firstAnswer() {
      while (true) {
        const found = await search('access review').catch(() => undefined);
        if (found !== undefined) return;
        await setTimeout(50);
      }
    },
    megabytes: () =>
      Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${running.pid}/status`, 'utf8'))?.[1]) / 1024),
    async close() {
      client.close();
      editorial.close();
      await running.close();
    },
  };
}

/** Copies the articles directly into the database, because one transaction for each would take many minutes. */
async function seed({ editorial, address }: Replica, db: Db): Promise<void> {
  await editorial.putArticle(articleToPut({ slug: 'model', site: Site.IO }), asTester());
  const collection = db.collection<{ _id: string } & Document>('articles');
  const model = await collection.findOne({ slug: 'model' });
  if (model === null) throw new Error('The model article is not stored.');
  // Only an older release uses it, and each insert would cost several times as much. The next start makes it again.
  await collection.dropIndex('search').catch(() => undefined);
  const textOf = createVariedTexts();
  for (let from = 0; from < count; from += 2_000) {
    const documents = Array.from({ length: Math.min(2_000, count - from) }, (_, index) => {
      const text = textOf(from + index);
      const slug = `varied-${from + index}`;
      return { ...model, ...text, _id: `${text.site}/${slug}`, slug };
    });
    await collection.insertMany(documents, { ordered: false });
    if (from % 20_000 === 0) console.error(`  ${from} of ${count}`);
  }
  await importSynonyms(address);
  const by = { 'articles.io': count / 2, 'articles.org': count / 2 };
  await db.collection<{ _id: string }>('counts').updateOne({ _id: 'content' }, { $inc: by });
}

// Searches with synonyms cost more.
async function importSynonyms(content: string): Promise<void> {
  const desk = deskOf({ addresses: { content, quota: '', identity: '', contributions: '' } });
  await desk.json('synonym', 'import', fileURLToPath(new URL('synonyms.yaml', sampleFolder)));
}

interface Answers {
  /** The times of all answers. */
  readonly times: number[];
  /** Those of queries that were asked before, but for a word that no query has twice. */
  readonly again: readonly number[];
  readonly failed: number;
}

const known = new Set<string>();

/** Searches at a steady rate, however long the answers take. */
async function ask(replica: Replica, duration: number, perSecond: number): Promise<Answers> {
  const random = createRandom(7);
  const graded = readQueries().flatMap(({ set, query }) => (set === 'dev' ? [query] : []));
  const times: number[] = [];
  const again: number[] = [];
  let failed = 0;
  const running: Promise<void>[] = [];
  const begun = performance.now();
  for (let at = 0; at < duration * perSecond; at++) {
    await setTimeout(Math.max(0, begun + (at * 1000) / perSecond - performance.now()));
    const words = graded[at % graded.length] ?? '';
    const query = at % 5 === 4 ? `${rareWord(random())} ${words}` : words;
    const isAgain = known.has(words);
    known.add(words);
    const startedAt = performance.now();
    const note = (): void => {
      const ms = performance.now() - startedAt;
      times.push(ms);
      if (isAgain) again.push(ms);
    };
    running.push(replica.search(query).then(note, () => void failed++));
  }
  await Promise.all(running);
  return { times, again, failed };
}

function shares(times: readonly number[]): string {
  const at = (share: number): string => quantile(times, share).toFixed(1);
  return `p50 ${at(0.5)} p95 ${at(0.95)} p99 ${at(0.99)} ms`;
}

/** Publishes and withdraws articles at one replica, and searches them at the other one from the acknowledgement on. */
async function follow(writer: Replica, reader: Replica): Promise<void> {
  const found: number[] = [];
  const gone: number[] = [];
  const puts: number[] = [];
  const textOf = createVariedTexts();
  for (let at = 0; at < 30; at++) {
    const slug = `fresh-${at}`;
    const text = textOf(count + at);
    const site = text.site === 'io' ? Site.IO : Site.ORG;
    const word = `fresh${randomUUID().replaceAll('-', '')}`;
    const article = articleToPut({ ...text, slug, site, body: `${text.body}\n\n${word}` });
    puts.push(await timed(() => writer.editorial.putArticle(article, asTester())));
    found.push(await timeUntil(async () => (await reader.search(word)).slugs.includes(slug)));
    const archive = { site, slug, expectedRevision: 0, reason: '' };
    await writer.editorial.archiveArticle(archive, asTester());
    gone.push(await timeUntil(async () => (await reader.search(word)).slugs.length === 0));
  }
  const shown = (of: number[]): string =>
    `median ${quantile(of, 0.5).toFixed(0)}, longest ${quantile(of, 1).toFixed(0)} ms`;
  console.log(`on another replica: found ${shown(found)}; gone ${shown(gone)}; a put takes ${shown(puts)}`);
}

function timeUntil(isSo: () => Promise<boolean>): Promise<number> {
  return timed(async () => {
    while (!(await isSo())) await setTimeout(2);
  });
}

function since(begun: number): string {
  return ((performance.now() - begun) / 1000).toFixed(1);
}

if (values.uri !== undefined) await measure(values.uri);
else await onMongod(({ uri }) => measure(uri), { cacheGigabytes: 1 });
