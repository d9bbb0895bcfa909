import { randomUUID } from 'node:crypto';
import { Batcher, deadlineIn } from '@knowledge/runtime';
import fastify from 'fastify';
import { type Document, MongoClient } from 'mongodb';

/**
 * The best reference of the benchmark: the read under quota in one process with every technique that one process
 * allows. It keeps finished responses as bytes, and counts in group commits of raw commands: one insert for new readers
 * and one guarded update for known ones, without reading them back. It has no leases and no other replica.
 * With `grouped` it is the common form: a group commit is updates and then a find of what they did.
 * Run: `node best.js MONGODB_URI DATABASE best|grouped PORT`.
 */
const [uri = '', database = '', form = '', port = '0'] = process.argv.slice(2);
const client = new MongoClient(uri, { writeConcern: { w: 'majority' }, readConcern: { level: 'majority' } });
await client.connect();
const db = client.db(database);
const articles = db.collection<{ _id: string } & Document>('articles');
const counters = db.collection<{ _id: string; day: string; grants: string[] }>('best_counters');
const limit = 3;

const app = fastify();
app.get<{ Params: { slug: string }; Querystring: { site?: string } }>(
  '/api/v1/content/:slug',
  async (request, reply) => {
    const bytes = await bytesOf(request.query.site ?? 'org', request.params.slug);
    if (bytes === undefined) return reply.code(404).send({ ok: false, error: 'not_found' });
    const item = { subject: String(request.headers['x-agent-client-id'] ?? request.ip), id: randomUUID() };
    const remaining = await consumes.add(item, { deadline: deadlineIn(1_500) });
    reply
      .header('x-ratelimit-limit', limit)
      .header('x-ratelimit-remaining', Math.max(0, remaining))
      .header('x-ratelimit-reset', (Math.floor(Date.now() / dayMs) + 1) * (dayMs / 1000));
    if (remaining < 0) return reply.code(429).send({ ok: false, error: 'read_quota_exceeded' });
    return reply
      .header('cache-control', 'private, no-cache')
      .header('content-type', 'application/json; charset=utf-8')
      .send(bytes);
  },
);
const dayMs = 86_400_000;

// Only this process would change the articles, so it would know when to drop them.
const cached = new Map<string, Buffer>();

async function bytesOf(site: string, slug: string): Promise<Buffer | undefined> {
  const key = `${site}/${slug}`;
  const known = cached.get(key);
  if (known !== undefined) return known;
  const article = await articles.findOne({ _id: key });
  if (article === null) return undefined;
  const { _id, ...fields } = article;
  const bytes = Buffer.from(JSON.stringify({ ok: true, site, article: fields }));
  cached.set(key, bytes);
  return bytes;
}

/** One read, by the key of its reader. */
interface Item {
  readonly subject: string;
  readonly id: string;
}

/** The number of grants of each reader as the database has it. Readers of a running commit are not in it. */
const tallies = new Map<string, number>();
/** Results are what is left to the reader; -1 is a refusal. */
const consumes = new Batcher<Item, number>({ send: commit, maxItems: 1024, maxInFlight: 2 });

async function commit(items: Item[]): Promise<number[]> {
  const day = new Date().toISOString().slice(0, 10);
  const readers = new Map<string, Item[]>();
  for (const item of items) {
    const key = `${day} ${item.subject}`;
    readers.set(key, [...(readers.get(key) ?? []), item]);
  }
  const left = new Map<Item, number>();
  const grant = (own: readonly Item[], before: number): void => {
    for (const [at, item] of own.entries()) left.set(item, Math.max(-1, limit - 1 - before - at));
  };
  const fresh: [string, Item[]][] = [];
  const known: [string, Item[], number][] = [];
  const others: [string, Item[]][] = [];
  for (const [key, own] of readers) {
    const tally = tallies.get(key);
    if (form === 'grouped') others.push([key, own]);
    else if (tally === limit) grant(own, limit);
    else if (tally === undefined && own.length <= limit) fresh.push([key, own]);
    else if (tally !== undefined && tally + own.length <= limit) known.push([key, own, tally]);
    else others.push([key, own]);
    if (tally !== limit) tallies.delete(key);
  }
  const settled = (key: string, own: readonly Item[], before: number): void => {
    grant(own, before);
    tallies.set(key, Math.min(limit, before + own.length));
  };
  const insert = async (): Promise<void> => {
    if (fresh.length === 0) return;
    const documents = fresh.map(([_id, own]) => ({ _id, day, grants: own.map(({ id }) => id) }));
    const { writeErrors = [] } = await db.command({ insert: counters.collectionName, documents, ...unordered });
    const failed = new Set((writeErrors as { index: number }[]).map(({ index }) => index));
    for (const [at, [key, own]] of fresh.entries()) {
      if (failed.has(at)) others.push([key, own]);
      else settled(key, own, 0);
    }
  };
  const extend = async (): Promise<void> => {
    if (known.length === 0) return;
    const updates = known.map(([_id, own, tally]) => ({
      q: { _id, grants: { $size: tally } },
      u: { $push: { grants: { $each: own.map(({ id }) => id) } } },
    }));
    const { n } = await db.command({ update: counters.collectionName, updates, ...unordered });
    for (const [key, own, tally] of known) {
      if (n === known.length) settled(key, own, tally);
      else others.push([key, own]);
    }
  };
  await Promise.all([insert(), extend()]);
  if (others.length > 0) await oneByOne(others, day, left);
  return items.map((item) => left.get(item) ?? -1);
}

const unordered = { ordered: false, writeConcern: { w: 'majority', j: true } };

/** Counts readers of whom nothing certain is known, by conditional upserts and one find. */
async function oneByOne(readers: readonly [string, Item[]][], day: string, left: Map<Item, number>): Promise<void> {
  const updates = readers.flatMap(([_id, own]) =>
    own.map(({ id }) => ({ q: { _id }, u: take(id, day), upsert: true })),
  );
  await db.command({ update: counters.collectionName, updates, ...unordered });
  const stored = await counters.find({ _id: { $in: readers.map(([key]) => key) } }).toArray();
  const grants = new Map(stored.map((each) => [each._id, each.grants]));
  for (const [key, own] of readers) {
    const ids = grants.get(key) ?? [];
    for (const item of own) left.set(item, ids.includes(item.id) ? limit - 1 - ids.indexOf(item.id) : -1);
    tallies.set(key, ids.length);
  }
}

function take(id: string, day: string): Document[] {
  const before = { $ifNull: ['$grants', []] };
  const isDone = { $or: [{ $in: [id, before] }, { $gte: [{ $size: before }, limit] }] };
  return [{ $set: { day, grants: { $cond: [isDone, before, { $concatArrays: [before, [id]] }] } } }];
}

const address = await app.listen({ host: '127.0.0.1', port: Number(port) });
process.stdout.write(`${address}\n`);
process.once('SIGTERM', () => {
  void app.close().then(() => client.close());
});
